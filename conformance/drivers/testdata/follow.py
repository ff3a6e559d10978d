"""Runs the program of docs/time.md that follows what changes, as it stands there.

    python3 follow.py ws://localhost:8182/gremlin docs/time.md

The server is killed while it follows. What fails begins with FAILED.
"""
import re
import sys

url, page = sys.argv[1].replace("ws://", "http://").replace("/gremlin", ""), sys.argv[2]
exec(re.search(r"```python\n(import http.*?)\n```", open(page).read(), flags=re.S).group(1))


def ask(text):
    body = json.dumps({"gremlin": text, "aliases": {"g": "gmodern"}}).encode()
    urllib.request.urlopen(urllib.request.Request(url + "/gremlin", body, {"Content-Type": "application/json"})).read()


def expect(number):
    commit = next(commits)
    values = [c["value"] for c in commit["changes"] if c["op"] == "set"]
    print("ok" if values == [number] else "FAILED", commit, flush=True)


ask("g.call('gremlind.graph.set', [name: 'modern', history: 'forever'])")
commits = follow(url, "gmodern")
ask("g.addV('x').property('n', 1)")
expect(1)
if "--no-restart" not in sys.argv:
    print("restart", flush=True)
    sys.stdin.readline()
ask("g.addV('x').property('n', 2)")
expect(2)
print("done", flush=True)
