// SPDX-License-Identifier: Apache-2.0
package dev.evita.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A gRPC-Web client that uses only reflection. */
public final class GrpcWebClient {

  private static final int TRAILERS = 0x80;

  private final URI server;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** Creates a client of this server. */
  public GrpcWebClient(URI server) {
    this.server = server;
  }

  /** The file descriptor of a schema. */
  public FileDescriptor file(String name)
      throws IOException, InterruptedException, DescriptorValidationException {
    var request = ServerReflectionRequest.newBuilder().setFileByFilename(name).build();
    var answer = exchange("grpc.reflection.v1.ServerReflection/ServerReflectionInfo", request);
    var files = ServerReflectionResponse.parseFrom(answer.getFirst()).getFileDescriptorResponse();
    var file = FileDescriptorProto.parseFrom(files.getFileDescriptorProto(0));
    return FileDescriptor.buildFrom(file, new FileDescriptor[0]);
  }

  /** All response messages to an empty request. */
  public List<DynamicMessage> call(MethodDescriptor method)
      throws IOException, InterruptedException {
    var request = DynamicMessage.getDefaultInstance(method.getInputType());
    var answers = new ArrayList<DynamicMessage>();
    for (var each : exchange(method.getService().getFullName() + "/" + method.getName(), request)) {
      answers.add(DynamicMessage.parseFrom(method.getOutputType(), each));
    }
    return answers;
  }

  private List<byte[]> exchange(String path, Message message)
      throws IOException, InterruptedException {
    var bytes = message.toByteArray();
    var body = ByteBuffer.allocate(5 + bytes.length).put((byte) 0).putInt(bytes.length).put(bytes);
    var request =
        HttpRequest.newBuilder(server.resolve("/" + path))
            .header("content-type", "application/grpc-web+proto")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body.array()))
            .build();
    var answer =
        ByteBuffer.wrap(http.send(request, HttpResponse.BodyHandlers.ofByteArray()).body());
    var messages = new ArrayList<byte[]>();
    while (true) {
      var flags = answer.get();
      var part = new byte[answer.getInt()];
      answer.get(part);
      if ((flags & TRAILERS) != 0) {
        assertThat(new String(part, StandardCharsets.US_ASCII))
            .as(path)
            .contains("grpc-status: 0\r\n");
        return messages;
      }
      messages.add(part);
    }
  }
}
