// SPDX-License-Identifier: Apache-2.0
package dev.evita.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/**
 * The published benchmark: the echo query over HTTP/1.1 from all threads, each with a JDK HTTP
 * client of its own, to one server, which runs alone. What the client costs is in the figures, and
 * it is more than what most of the servers cost. {@link PublishedComparison} runs it.
 */
@Threads(Threads.MAX)
public class EchoBenchmark {

  /** A server for each fork, in a process of its own. */
  @State(Scope.Benchmark)
  public static class Server {

    /** A {@link Candidate}. */
    @Param("UNDERTOW")
    public String candidate;

    @Param("false")
    public boolean documentCache;

    private ServerProcess process;
    private volatile boolean stopped;

    @Setup
    public void start() throws IOException, InterruptedException {
      var contestant = new Contestant(Candidate.valueOf(candidate), documentCache);
      process = contestant.start(ServerProcess.Cores.ALL, ServerProcess.HEAP);
      contestant.requireRight(process.port());
    }

    @TearDown
    public void stop() {
      stopped = true;
      process.close();
    }
  }

  /** A client for each thread. */
  @State(Scope.Thread)
  public static class Client {

    private HttpClient client;
    private HttpRequest request;

    @Setup
    public void connect(Server server) {
      client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
      request =
          HttpRequest.newBuilder(
                  URI.create("http://localhost:" + server.process.port() + "/graphql"))
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(Contestant.QUERY.body()))
              .build();
    }

    @TearDown
    public void disconnect() {
      client.close();
    }
  }

  /**
   * Asks once.
   *
   * @return the answer; null where there is no server any more: JMH stops it while the thread that
   *     is last still asks, of which it counts nothing
   * @throws IOException if the answer was none
   */
  @Benchmark
  public @Nullable HttpResponse<String> echo(Client client, Server server)
      throws IOException, InterruptedException {
    HttpResponse<String> response;
    try {
      response = client.client.send(client.request, BodyHandlers.ofString());
    } catch (IOException e) {
      if (server.stopped) {
        return null;
      }
      throw e;
    }
    if (response.statusCode() != 200) {
      throw new IOException("status " + response.statusCode() + ": " + response.body());
    }
    return response;
  }
}
