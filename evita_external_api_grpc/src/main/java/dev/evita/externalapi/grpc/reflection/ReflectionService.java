// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.reflection;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.reflection.v1.ErrorResponse;
import io.grpc.reflection.v1.ExtensionNumberResponse;
import io.grpc.reflection.v1.FileDescriptorResponse;
import io.grpc.reflection.v1.ListServiceResponse;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Server reflection of the catalog at the time of the request. The messages of v1alpha are those of
 * v1 on the wire, so one implementation serves both.
 *
 * @see <a href="https://github.com/grpc/grpc/blob/master/doc/server-reflection.md">Reflection</a>
 */
final class ReflectionService {

  private final ProtoFiles files;

  ReflectionService(ProtoFiles files) {
    this.files = files;
  }

  /** Returns the services of both versions. */
  List<ServerServiceDefinition> services() {
    var method = ServerReflectionGrpc.getServerReflectionInfoMethod();
    var alpha = io.grpc.reflection.v1alpha.ServerReflectionGrpc.getServiceDescriptor();
    var alphaMethod =
        method.toBuilder()
            .setFullMethodName(
                MethodDescriptor.generateFullMethodName(alpha.getName(), "ServerReflectionInfo"))
            .build();
    ServerCallHandler<ServerReflectionRequest, ServerReflectionResponse> handler =
        (call, headers) -> new Listener(call);
    return List.of(
        ServerServiceDefinition.builder(ServerReflectionGrpc.getServiceDescriptor())
            .addMethod(method, handler)
            .build(),
        ServerServiceDefinition.builder(
                io.grpc.ServiceDescriptor.newBuilder(alpha.getName())
                    .setSchemaDescriptor(alpha.getSchemaDescriptor())
                    .addMethod(alphaMethod)
                    .build())
            .addMethod(alphaMethod, handler)
            .build());
  }

  /** Processes requests one after the other. */
  private final class Listener extends ServerCall.Listener<ServerReflectionRequest> {

    private final ServerCall<ServerReflectionRequest, ServerReflectionResponse> call;
    private boolean begun;
    private boolean answering;
    private boolean halfClosed;

    private Listener(ServerCall<ServerReflectionRequest, ServerReflectionResponse> call) {
      this.call = call;
      call.request(1);
    }

    @Override
    public void onMessage(ServerReflectionRequest request) {
      synchronized (this) {
        answering = true;
      }
      files.all(
          (all, services) -> respond(response(request, all, services)),
          problem -> respond(error(request, Status.Code.UNAVAILABLE, problem.publicMessage())));
    }

    private void respond(ServerReflectionResponse response) {
      if (!begun) {
        begun = true;
        call.sendHeaders(new Metadata());
      }
      call.sendMessage(response);
      boolean last;
      synchronized (this) {
        answering = false;
        last = halfClosed;
      }
      if (last) {
        call.close(Status.OK, new Metadata());
      } else {
        call.request(1);
      }
    }

    @Override
    public void onHalfClose() {
      synchronized (this) {
        halfClosed = true;
        if (answering) {
          return;
        }
      }
      call.close(Status.OK, new Metadata());
    }
  }

  private static ServerReflectionResponse.Builder response(ServerReflectionRequest request) {
    return ServerReflectionResponse.newBuilder()
        .setValidHost(request.getHost())
        .setOriginalRequest(request);
  }

  private static ServerReflectionResponse error(
      ServerReflectionRequest request, Status.Code code, String message) {
    var error = ErrorResponse.newBuilder().setErrorCode(code.value()).setErrorMessage(message);
    return response(request).setErrorResponse(error).build();
  }

  private static ServerReflectionResponse response(
      ServerReflectionRequest request, List<FileDescriptor> files, Set<String> services) {
    return switch (request.getMessageRequestCase()) {
      case LIST_SERVICES -> {
        var list = ListServiceResponse.newBuilder();
        services.forEach(name -> list.addService(ServiceResponse.newBuilder().setName(name)));
        yield response(request).setListServicesResponse(list).build();
      }
      case FILE_BY_FILENAME -> {
        var name = request.getFileByFilename();
        yield file(request, name, withImports(files).get(name));
      }
      case FILE_CONTAINING_SYMBOL -> {
        var symbol = request.getFileContainingSymbol();
        yield file(request, symbol, containing(withImports(files), symbol));
      }
      case FILE_CONTAINING_EXTENSION ->
          error(request, Status.Code.NOT_FOUND, "No message here has extensions");
      case ALL_EXTENSION_NUMBERS_OF_TYPE -> {
        var type = request.getAllExtensionNumbersOfType();
        yield containing(withImports(files), type) == null
            ? error(request, Status.Code.NOT_FOUND, "Not found: " + type)
            : response(request)
                .setAllExtensionNumbersResponse(
                    ExtensionNumberResponse.newBuilder().setBaseTypeName(type))
                .build();
      }
      case MESSAGEREQUEST_NOT_SET ->
          error(request, Status.Code.INVALID_ARGUMENT, "The request is empty");
    };
  }

  private static ServerReflectionResponse file(
      ServerReflectionRequest request, String wanted, @Nullable FileDescriptor found) {
    if (found == null) {
      return error(request, Status.Code.NOT_FOUND, "Not found: " + wanted);
    }
    var all = new LinkedHashMap<String, FileDescriptor>();
    add(all, found);
    var response = FileDescriptorResponse.newBuilder();
    all.values().forEach(file -> response.addFileDescriptorProto(file.toProto().toByteString()));
    return response(request).setFileDescriptorResponse(response).build();
  }

  private static Map<String, FileDescriptor> withImports(List<FileDescriptor> files) {
    var all = new LinkedHashMap<String, FileDescriptor>();
    files.forEach(file -> add(all, file));
    return all;
  }

  private static void add(Map<String, FileDescriptor> all, FileDescriptor file) {
    if (all.putIfAbsent(file.getName(), file) == null) {
      file.getDependencies().forEach(imported -> add(all, imported));
    }
  }

  private static @Nullable FileDescriptor containing(
      Map<String, FileDescriptor> files, String symbol) {
    return files.values().stream().filter(file -> has(file, symbol)).findFirst().orElse(null);
  }

  private static boolean has(FileDescriptor file, String symbol) {
    return file.getServices().stream()
            .anyMatch(service ->
                service.getFullName().equals(symbol)
                    || service.getMethods().stream()
                        .anyMatch(method -> method.getFullName().equals(symbol)))
        || file.getMessageTypes().stream().anyMatch(type -> has(type, symbol))
        || file.getEnumTypes().stream().anyMatch(type -> type.getFullName().equals(symbol))
        || file.getExtensions().stream().anyMatch(each -> each.getFullName().equals(symbol));
  }

  private static boolean has(Descriptor type, String symbol) {
    if (!symbol.startsWith(type.getFullName())) {
      return false;
    }
    return type.getFullName().equals(symbol)
        || type.getFields().stream().anyMatch(field -> field.getFullName().equals(symbol))
        || type.getEnumTypes().stream().anyMatch(each -> each.getFullName().equals(symbol))
        || type.getNestedTypes().stream().anyMatch(nested -> has(nested, symbol));
  }
}
