// SPDX-License-Identifier: Apache-2.0
package dev.evita.externalapi.grpc.reflection;

import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import dev.evita.api.EvitaException;
import dev.evita.externalapi.core.error.HttpErrorCode;
import dev.evita.externalapi.core.exchange.Exchange;
import dev.evita.externalapi.grpc.generic.DatabaseProto;
import dev.evita.externalapi.grpc.messages.MessageValues;
import dev.evita.externalapi.grpc.proto.ProtoText;
import dev.evita.externalapi.grpc.proto.ServiceNames;
import dev.evita.externalapi.grpc.tables.CatalogServices;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.ProtoFileDescriptorSupplier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** All served protobuf files of one epoch, for download and for reflection. Thread-safe. */
public final class ProtoFiles {

  private final CatalogServices catalog;
  private final List<ProtoFileDescriptorSupplier> mounted = new ArrayList<>();
  private final Set<String> names = new LinkedHashSet<>();
  private final ReflectionService reflection = new ReflectionService(this);

  /**
   * @param services the mounted services; of those without a file, only the names are listed
   */
  public ProtoFiles(CatalogServices catalog, List<ServerServiceDefinition> services) {
    this.catalog = catalog;
    var all = new ArrayList<>(services);
    all.addAll(reflection.services());
    for (var service : all) {
      names.add(service.getServiceDescriptor().getName());
      if (service.getServiceDescriptor().getSchemaDescriptor()
          instanceof ProtoFileDescriptorSupplier supplier) {
        mounted.add(supplier);
      }
    }
    mounted.add(
        com.google.rpc.ErrorDetailsProto::getDescriptor); // allows clients to parse error details
    mounted.add(io.grpc.health.v1.HealthProto::getDescriptor);
    names.add(io.grpc.health.v1.HealthGrpc.SERVICE_NAME);
  }

  /** The services that have a file. */
  public List<ServerServiceDefinition> reflection() {
    return reflection.services();
  }

  /**
   * Determines whether a service has this name; does not store anything for it.
   *
   * @param consumer called at once or later, on any thread; must not block
   * @param failed likewise
   */
  void serves(String service, Consumer<Boolean> consumer, Consumer<EvitaException> failed) {
    if (names.contains(service)) {
      consumer.accept(true);
    } else {
      catalog.whenNamed(named -> consumer.accept(named.services().contains(service)), failed);
    }
  }

  /**
   * Requests all files and the names of all services; the callback may be called later, on any
   * thread.
   *
   * @param failed called if those of the catalog cannot be generated
   */
  void all(
      BiConsumer<List<FileDescriptor>, Set<String>> consumer, Consumer<EvitaException> failed) {
    catalog.whenReady(
        tables -> {
          var files = new ArrayList<FileDescriptor>();
          mounted.forEach(each -> files.add(each.getFileDescriptor()));
          var services = new LinkedHashSet<>(names);
          for (var file : tables.files()) {
            files.add(file);
            file.getServices().stream().map(ServiceDescriptor::getFullName).forEach(services::add);
          }
          consumer.accept(files, services);
        },
        failed);
  }

  /** Responds with the text of a schema's file. */
  public void handle(Exchange exchange) {
    catalog.whenReady(tables -> respond(exchange, tables.files()), exchange::fail);
  }

  private static void respond(Exchange exchange, List<FileDescriptor> files) {
    var texts = new LinkedHashMap<String, FileDescriptor>();
    texts.put(ServiceNames.FILES + "/" + DatabaseProto.FILE.getName(), DatabaseProto.FILE);
    files.forEach(file -> texts.put(ServiceNames.FILES + "/" + file.getName(), file));
    var file = texts.get(exchange.request().path());
    if (file == null) {
      exchange.fail(
          new EvitaException(
              HttpErrorCode.NOT_FOUND,
              "There is no file '%s'; there are %s"
                  .formatted(MessageValues.shortened(exchange.request().path()), known(texts))));
      return;
    }
    exchange.response().header("Cache-Control", "no-cache");
    exchange
        .response()
        .send(
            200, "text/plain; charset=utf-8", ProtoText.of(file).getBytes(StandardCharsets.UTF_8));
  }

  private static String known(Map<String, FileDescriptor> texts) {
    return String.join(", ", texts.keySet().stream().limit(20).toList());
  }
}
