// SPDX-License-Identifier: Apache-2.0
package dev.evita.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The hosts of a listener. */
final class AllowedHostsTest {

  private static final AllowedHosts LOOPBACK =
      AllowedHosts.of(List.of(), InetAddress.getLoopbackAddress());

  private static AllowedHosts names(String... names) {
    return AllowedHosts.of(List.of(names), InetAddress.getLoopbackAddress());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LOCALHOST:1",
        "localhost.",
        "localhost.:1",
        "x.localhost",
        "127.0.0.1",
        "127.255.255.255:65535",
        "127.0.0.1.",
        "[::1]",
        "[::1]:80"
      })
  void loopback_loopbackNames_areAllowed(String host) {
    assertThat(LOOPBACK.allows(host)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        ":80",
        "evil.example",
        "localhost.evil.example",
        "evillocalhost",
        ".localhost",
        "localhost..",
        "127.0.0.1.evil.example",
        "127.evil.example",
        "127.0.0",
        "127.0.0.0.1",
        "127.0.0.256",
        "127.0.0.0001",
        "127..0.1",
        "127.0.0.",
        "127.0.0.1x",
        "128.0.0.1",
        "0.0.0.0",
        "10.0.0.1",
        "[::2]",
        "[::1",
        "[::1]x",
        "[::1]80",
        "::1",
        "[]",
        "[",
        "localhost:x",
        "localhost:80:80",
        "localhost:80@evil.example",
        "localhost@evil.example",
        "localhost/",
        "localhost evil.example"
      })
  void loopback_otherNames_areNotAllowed(String host) {
    assertThat(LOOPBACK.allows(host)).isFalse();
  }

  @Test
  void nonLoopbackAddress_withoutNames_allowsAll() throws Exception {
    for (var address : new String[] {"0.0.0.0", "192.0.2.1", "::"}) {
      var hosts = AllowedHosts.of(List.of(), InetAddress.getByName(address));
      assertThat(hosts.allows("evil.example")).isTrue();
      assertThat(hosts.allows("")).isTrue();
    }
  }

  @Test
  void names_anyCaseAndPort_areAllowed() {
    var hosts = names("DB.example", "[2001:DB8::1]", "192.0.2.1");
    for (var host :
        new String[] {"db.EXAMPLE", "db.example.:1", "[2001:db8::1]:80", "192.0.2.1:1"}) {
      assertThat(hosts.allows(host)).as(host).isTrue();
    }
    for (var host : new String[] {"a.db.example", "example", "localhost", "192.0.2.2"}) {
      assertThat(hosts.allows(host)).as(host).isFalse();
    }
  }

  @Test
  void wildcard_ofSubdomains_excludesTheDomain() {
    var hosts = names("*.example.com");
    assertThat(hosts.allows("a.example.com")).isTrue();
    assertThat(hosts.allows("a.b.Example.com.:80")).isTrue();
    assertThat(hosts.allows("example.com")).isFalse();
    assertThat(hosts.allows(".example.com")).isFalse();
    assertThat(hosts.allows("evilexample.com")).isFalse();
  }

  @Test
  void asterisk_allowsAll() {
    assertThat(names("*").allows("evil.example")).isTrue();
  }

  @Test
  void fault_containsHostAllowedNamesAndKey() {
    var fault = names("db.example", "*.example.com").fault("evil.example");
    assertThat(fault.status()).isEqualTo(421);
    assertThat(fault.code()).isEqualTo("HOST_NOT_ALLOWED");
    assertThat(fault.detail())
        .isEqualTo(
            "Host \"evil.example\" is not allowed; expected one of db.example, *.example.com"
                + " (allowed-hosts)");
    assertThat(LOOPBACK.fault("x".repeat(300)).detail())
        .isEqualTo(
            "Host \"%s...\" is not allowed; expected one of localhost, *.localhost, 127.0.0.0/8,"
                    .formatted("x".repeat(100))
                + " [::1] (allowed-hosts)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://db.example",
        "db.example:80",
        "",
        "*.",
        "a.*.example",
        "**",
        "*example",
        "::1",
        "[::1]:80",
        "d\u00e4tabase.example",
        "db example",
        "db.example/"
      })
  void entry_malformed_isInvalid(String entry) {
    assertThat(AllowedHosts.isValid(entry)).isFalse();
  }
}
