"""What docs/services.md says in Python: python services.py ws://host:port/gremlin SERVICES.MD EXAMPLES

The examples have their order in the file of the page's test: a line "SERVICE: what the shell says" each, and one with the call,
behind which may stand a part of the error that it answers, or that the shell alone does.
"""
import re
import sys

from gremlin_python.driver.driver_remote_connection import DriverRemoteConnection
from gremlin_python.process.anonymous_traversal import traversal

url, page, examples = sys.argv[1:4]

lines = {}
for section in re.split(r"^## ", open(page).read(), flags=re.M)[1:]:
    lines[section.split("\n")[0]] = re.findall(r"```python\n(.*?)\n```", section, flags=re.S)

said = [l for l in open(examples).read().split("\n") if l and not l.startswith("#")]
connection = DriverRemoteConnection(url, "g")
g = traversal().with_remote(connection)
for service, call in zip((l.split(":")[0] for l in said[::2]), said[1::2]):
    refused = call.partition(" // error: ")[2]
    line = lines[service].pop(0)
    try:
        eval(line, {"g": g}).to_list()
        print("FAILED: no error" if refused else "ok", line, flush=True)
    except Exception as e:
        print("ok" if refused and refused in str(e) else "FAILED", line, e, flush=True)
connection.close()
for service, left in lines.items():
    if left:
        print("FAILED", service, "has examples that are in no order:", left, flush=True)
print("done", flush=True)
