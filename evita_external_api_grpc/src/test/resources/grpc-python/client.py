# SPDX-License-Identifier: Apache-2.0
"""Calls a server by what grpcio-tools makes of the file that it serves.

client.py shop PORT PACKAGE    the table products: insert, insert many, scan, pages, errors
client.py all PORT PACKAGE     reads of all services that reflection (v1alpha) tells
client.py FILE PORT PACKAGE    the example of a file of Markdown
"""

import importlib
import os
import re
import sys
import urllib.request

import grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase,
)
from grpc_tools import protoc


def generated(port, package):
    directory = "generated" + port
    os.makedirs(directory, exist_ok=True)
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/grpc/{package}.proto") as answer:
        text = answer.read()
    with open(f"{directory}/{package}.proto", "wb") as file:
        file.write(text)
    out = [f"--{kind}_out={directory}" for kind in ("python", "grpc_python")]
    assert protoc.main(["protoc", "-I" + directory, *out, package + ".proto"]) == 0
    sys.path.insert(0, directory)
    return [importlib.import_module(package + end) for end in ("_pb2", "_pb2_grpc")]


def shop(channel, pb2, services):
    products = services.ProductsStub(channel)
    row = pb2.ProductsRow(name="Größe 😀", price="12.50", picture=b"\x00\xff")
    row.tags.values.add(string_value="a")
    row.tags.values.add()
    added = products.Insert(pb2.ProductsInsertRequest(row=row))
    read = products.Get(pb2.ProductsGetRequest(key=pb2.ProductsKey(id=added.id)))
    assert read == added, read
    assert (read.name, read.price, read.stock) == ("Größe 😀", "12.50", 7), read
    assert not read.HasField("weight")
    print("insert")

    many = (pb2.ProductsInsertRequest(row=pb2.ProductsRow(name=f"n{i}")) for i in range(5000))
    assert products.InsertMany(many).inserted == 5000
    print("insert many")

    some = pb2.ProductsFilter(name=pb2.TextComparison(like="n%"))
    names = {row.name for row in products.Scan(pb2.ProductsScanRequest(filter=some))}
    assert names == {f"n{i}" for i in range(5000)}
    print("scan")

    ids = []
    request = pb2.ProductsListRequest(filter=some, page_size=900, columns=["id"])
    while not ids or request.page_token:
        page = products.List(request)
        ids += [row.id for row in page.rows]
        request.page_token = page.next_page_token
    assert len(ids) == 5000 and ids == sorted(set(ids))
    print("pages")

    try:
        products.Insert(pb2.ProductsInsertRequest(row=pb2.ProductsRow(id=added.id, name="x")))
        raise AssertionError("inserted twice")
    except grpc.RpcError as problem:
        assert problem.code() == grpc.StatusCode.ALREADY_EXISTS, problem
    print("conflict")

    changes = products.Watch(pb2.ProductsWatchRequest(changes_only=True))
    assert next(changes).kind == pb2.READY
    products.Delete(pb2.ProductsDeleteRequest(key=pb2.ProductsKey(id=added.id)))
    change = next(changes)
    assert (change.kind, change.key.id) == (pb2.DELETE, added.id)
    changes.cancel()
    print("watch")


def everything(channel, pb2, services):
    reflected = set(ProtoReflectionDescriptorDatabase(channel).get_services())
    count = 0
    for name, service in pb2.DESCRIPTOR.services_by_name.items():
        assert service.full_name in reflected, service.full_name
        stub = getattr(services, name + "Stub")(channel)
        rows = list(stub.Scan(getattr(pb2, name + "ScanRequest")()))
        assert list(stub.List(getattr(pb2, name + "ListRequest")()).rows) == rows
        count += 1
    print(count)


def example(path, port, package):
    generated(port, package)
    with open(path, encoding="utf-8") as file:
        code = re.search("```python\n(.*?)```", file.read(), re.DOTALL)[1]
    exec(code.replace("5555", port), {})


what, port, package = sys.argv[1:]
if what.endswith(".md"):
    example(what, port, package)
    sys.exit()
with grpc.insecure_channel("127.0.0.1:" + port) as opened:
    {"shop": shop, "all": everything}[what](opened, *generated(port, package))
