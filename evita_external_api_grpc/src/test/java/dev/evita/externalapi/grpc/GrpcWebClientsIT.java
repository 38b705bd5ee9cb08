// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.sun.net.httpserver.HttpServer;
import dev.evita.api.Engine;
import dev.evita.engine.jdbc.JdbcEngine;
import dev.evita.externalapi.core.ExternalApiServer;
import dev.evita.externalapi.core.ServerOptions;
import dev.evita.externalapi.core.web.CorsOptions;
import dev.evita.testsupport.Browser;
import dev.evita.testsupport.NodeProject;
import io.grpc.ServerInterceptors;
import io.grpc.protobuf.ProtoFileDescriptorSupplier;
import io.grpc.services.MetricRecorder;
import io.grpc.testing.integration.TestServiceGrpc;
import io.grpc.testing.integration.TestServiceImpl;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The clients of gRPC-Web that exist work unchanged: in Node.js, and in a page of another origin in
 * a browser, over HTTP/1.1 and over TLS, where browsers take HTTP/2.
 */
@Tag("tools")
final class GrpcWebClientsIT {

  private static final List<String> ALL_WELL =
      List.of(
          "connect: unary, with metadata both ways",
          "connect: stream",
          "connect: failures",
          "connect: deadline",
          "connect: cancelled",
          "grpc-web: text",
          "grpc-web: binary",
          "grpc-web: stream");

  private static NodeProject node;
  private static ScheduledExecutorService pool;

  @BeforeAll
  static void install() throws IOException, InterruptedException {
    node = NodeProject.install("grpc-web", "gRPC-Web with its clients");
    pool = Executors.newScheduledThreadPool(2);
  }

  @AfterAll
  static void stop() {
    if (pool != null) {
      pool.shutdownNow();
    }
  }

  private static ExternalApiServer serve(Engine engine, ServerOptions.Builder options) {
    var service = new TestServiceImpl(pool, MetricRecorder.newInstance());
    return ExternalApiServer.over(engine)
        .options(options.build())
        .provider(
            GrpcProvider.of(
                pool, () -> ServerInterceptors.intercept(service, TestServiceImpl.interceptors())))
        .withoutDiscovery()
        .start();
  }

  @Test
  @Timeout(120)
  void clients_inNode_call() throws Exception {
    try (var engine = JdbcEngine.open("jdbc:h2:mem:");
        var server = serve(engine, ServerOptions.builder())) {
      var url = server.uri().toString();
      assertThat(node.run("node", "client.mjs", url, descriptors()).lines())
          .containsExactlyElementsOf(ALL_WELL);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Timeout(180)
  void clients_inAPageOfAnotherOrigin_call(boolean tls, @TempDir Path folder) throws Exception {
    node.run(
        "node_modules/.bin/esbuild",
        "page.mjs",
        "--bundle",
        "--format=esm",
        "--log-level=warning",
        "--outfile=page.js");
    var said = new LinkedBlockingQueue<String>();
    var pages = pages(said);
    try (var engine = JdbcEngine.open("jdbc:h2:mem:")) {
      var origin = "http://127.0.0.1:" + pages.getAddress().getPort();
      var options =
          ServerOptions.builder().cors(CorsOptions.builder().corsOrigins(List.of(origin)).build());
      if (tls) {
        options.tls(TestCertificate.in(folder));
      }
      try (var server = serve(engine, options);
          var browser =
              Browser.open(
                  origin + "/#" + server.uri() + "," + descriptors(), "gRPC-Web in a browser")) {
        var lines = new ArrayList<String>();
        var line = "";
        while (line != null && !line.equals("done") && !line.startsWith("failed")) {
          line = said.poll(1, TimeUnit.MINUTES);
          lines.add(line);
          assertThat(browser.isAlive()).as("after %s", lines).isTrue();
        }
        var expected = new ArrayList<>(ALL_WELL);
        expected.add("done");
        assertThat(lines).containsExactlyElementsOf(expected);
      }
    } finally {
      pages.stop(0);
    }
  }

  /** Another server, which serves the page and records its output. */
  private static HttpServer pages(Queue<String> said) throws IOException {
    var pages = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var page = "<!doctype html><script type=\"module\" src=\"/page.js\"></script>";
    answer(pages, "/", "text/html", page.getBytes(StandardCharsets.UTF_8), said);
    var script = Files.readAllBytes(node.file("page.js"));
    answer(pages, "/page.js", "text/javascript", script, said);
    pages.start();
    return pages;
  }

  private static void answer(
      HttpServer pages, String path, String type, byte[] content, Queue<String> said) {
    pages.createContext(
        path,
        exchange -> {
          try (exchange) {
            var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (!body.isEmpty()) {
              said.add(body);
            }
            exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
            exchange.sendResponseHeaders(200, content.length);
            exchange.getResponseBody().write(content);
          }
        });
  }

  private static String descriptors() {
    var schema =
        (ProtoFileDescriptorSupplier) TestServiceGrpc.getServiceDescriptor().getSchemaDescriptor();
    var files = new LinkedHashSet<FileDescriptor>();
    collect(schema.getFileDescriptor(), files);
    var set = FileDescriptorSet.newBuilder();
    files.forEach(file -> set.addFile(file.toProto()));
    return Base64.getEncoder().encodeToString(set.build().toByteArray());
  }

  private static void collect(FileDescriptor file, Set<FileDescriptor> into) {
    file.getDependencies().forEach(dependency -> collect(dependency, into));
    into.add(file);
  }
}
