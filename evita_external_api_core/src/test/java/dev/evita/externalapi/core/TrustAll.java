// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.core;

import java.security.cert.X509Certificate;
import javax.net.ssl.X509TrustManager;

/** Trusts any certificate. */
final class TrustAll implements X509TrustManager {
  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType) {}

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType) {}

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
