"""An editor without a screen: speaks the Language Server Protocol with
`warplint --lsp` over pipes. Each test is a Python file that uses it and prints
what FileCheck then reads."""
import json
import os
import subprocess
import sys
import threading
import time
import urllib.parse

# A server that hangs must fail a test, not stall it; parsing a toolkit's
# headers on a busy machine takes seconds.
PATIENCE = float(os.environ.get("PATIENCE", 120))


def uri(path):
    return "file://" + urllib.parse.quote(os.path.realpath(path))


class Editor:
    """One conversation. `flags`: the compiler flags behind `--`, or None."""

    def __init__(self, flags=None, options=(), initialize=True, encodings=None,
                 related=True, versioned=True, markdown=False):
        command = ["warplint", "--lsp", *options]
        if flags is not None:
            command += ["--", *flags]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.next_id = 1
        self.version = {}
        self.notified = []  # in the order of arrival
        self.replies = {}
        self.arrived = threading.Condition()
        self.ended = False
        threading.Thread(target=self._listen, daemon=True).start()
        if initialize:
            capabilities = {
                "workspace": {"workspaceEdit": {"documentChanges": versioned}},
                "textDocument": {
                    "hover": {"contentFormat":
                              ["markdown", "plaintext"] if markdown else ["plaintext"]},
                    "publishDiagnostics": {"relatedInformation": related}},
            }
            if encodings:
                capabilities["general"] = {"positionEncodings": encodings}
            self.capabilities = self.call(
                "initialize", {"processId": os.getpid(), "rootUri": None,
                               "capabilities": capabilities})["result"]["capabilities"]
            self.notify("initialized", {})

    # The wire.

    def _listen(self):
        out = self.process.stdout
        while True:
            length = None
            while True:
                line = out.readline()
                if not line:
                    with self.arrived:
                        self.ended = True
                        self.arrived.notify_all()
                    return
                # The header ends with an empty line; each ends with CR LF.
                assert line.endswith(b"\r\n"), line
                if line == b"\r\n":
                    break
                name, value = line.decode("ascii").split(":")
                if name == "Content-Length":
                    length = int(value)
            body = out.read(length)
            assert len(body) == length
            message = json.loads(body.decode("utf-8"))
            assert message["jsonrpc"] == "2.0"
            with self.arrived:
                if "method" in message:
                    self.notified.append(message)
                else:
                    self.replies.setdefault(json.dumps(message["id"]), []).append(message)
                self.arrived.notify_all()

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send_text(self, body):
        data = body if isinstance(body, bytes) else body.encode("utf-8")
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(data) + data)

    def send(self, message):
        self.send_text(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False))

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params):
        """Sends and does not wait; returns the id."""
        identity = self.next_id
        self.next_id += 1
        self.send({"id": identity, "method": method, "params": params})
        return identity

    def wait(self, what, seconds=PATIENCE):
        """Until `what()` is not None; returns it."""
        end = time.monotonic() + seconds
        with self.arrived:
            while True:
                found = what()
                if found is not None:
                    return found
                left = end - time.monotonic()
                if left <= 0 or self.ended:
                    sys.exit("the server did not answer" if left <= 0
                             else "the server ended")
                self.arrived.wait(left)

    def reply(self, identity):
        def take():
            found = self.replies.get(json.dumps(identity))
            return found.pop(0) if found else None
        return self.wait(take)

    def call(self, method, params):
        return self.reply(self.request(method, params))

    # Documents.

    def open(self, path, text=None, language="cuda-cpp"):
        if text is None:
            with open(path, encoding="utf-8", newline="") as file:
                text = file.read()
        self.version[path] = 1
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri(path), "languageId": language, "version": 1, "text": text}})

    def change(self, path, text):
        self.version[path] += 1
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": uri(path), "version": self.version[path]},
            "contentChanges": [{"text": text}]})

    def save(self, path):
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri(path)}})

    def close(self, path):
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri(path)}})

    def diagnostics(self, path, version=None):
        """The next ones published for `path` (and `version`)."""
        def take():
            for index, message in enumerate(self.notified):
                params = message["params"]
                if (message["method"] == "textDocument/publishDiagnostics"
                        and params["uri"] == uri(path)
                        and (version is None or params.get("version") == version)):
                    del self.notified[index]
                    return params["diagnostics"]
            return None
        return self.wait(take)

    def hover_request(self, path, line, character):
        return self.request("textDocument/hover", {
            "textDocument": {"uri": uri(path)},
            "position": {"line": line, "character": character}})

    def hover(self, path, line, character):
        """The text, or None; `self.hover_range` is what it is for."""
        result = self.reply(self.hover_request(path, line, character))["result"]
        self.hover_range = result and result["range"]
        return result and result["contents"]["value"]

    def actions(self, path, span):
        return self.call("textDocument/codeAction", {
            "textDocument": {"uri": uri(path)}, "range": span,
            "context": {"diagnostics": []}})["result"]

    def end(self):
        """Says goodbye as a client should; returns the exit status."""
        assert self.call("shutdown", None)["result"] is None
        self.notify("exit", None)
        return self.process.wait(PATIENCE)


def show(diagnostics):
    for each in diagnostics:
        span = each["range"]
        print(f"{span['start']['line']}:{span['start']['character']}-"
              f"{span['end']['line']}:{span['end']['character']} "
              f"severity {each['severity']} [{each.get('code', '')}] {each['message']}")
        for related in each.get("relatedInformation", []):
            start = related["location"]["range"]["start"]
            print(f"  {os.path.basename(related['location']['uri'])}:{start['line']}:"
                  f"{start['character']} {related['message']}")
    if not diagnostics:
        print("nothing")


def flags():
    """The flags a test's RUN line gave behind the script's own arguments."""
    return sys.argv[sys.argv.index("--") + 1:]
