"""gremlinpython over TLS with a name and a password: python auth.py wss://host:port/gremlin NAME PASSWORD"""
import logging
import ssl
import sys
from concurrent.futures import ThreadPoolExecutor

from gremlin_python.driver.aiohttp.transport import AiohttpTransport
from gremlin_python.driver.driver_remote_connection import DriverRemoteConnection
from gremlin_python.driver.protocol import GremlinServerError
from gremlin_python.process.anonymous_traversal import traversal

url, name, password = sys.argv[1:4]
logging.disable(logging.CRITICAL)  # an error is wanted here


def source(password):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    connection = DriverRemoteConnection(url, "gmodern", username=name, password=password, pool_size=1,
                                        transport_factory=lambda: AiohttpTransport(call_from_event_loop=False, ssl_options=context))
    return traversal().with_remote(connection), connection


def check(name, got, want):
    if got != want:
        sys.exit(f"{name}: got {got!r}, want {want!r}")
    print("ok", name, flush=True)


g, connection = source(password)
with ThreadPoolExecutor(10) as pool:
    check("ten at once", list(pool.map(lambda _: g.V().count().next(), range(10))), [6] * 10)
connection.close()
g, connection = source("wrong")
try:
    g.V().count().next()
    sys.exit("a wrong password was accepted")
except GremlinServerError as e:
    check("wrong password", (e.status_code, str(e)), (401, "401: Username and/or password are incorrect"))
connection.close()
print("done")
