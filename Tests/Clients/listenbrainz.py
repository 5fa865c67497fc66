"""A mock of the ListenBrainz API at http://127.0.0.1, which accepts every submission.

Prints `now TITLE` for a track that is submitted as playing now, and `listen TITLE` for each listen.
https://listenbrainz.readthedocs.io/en/latest/users/api/core.html
"""

import http.server
import json


class Submissions(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        submission = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        kind = "now" if submission["listen_type"] == "playing_now" else "listen"
        for listen in submission["payload"]:
            print(kind, listen["track_metadata"]["track_name"], flush=True)
        answer = b'{"status": "ok"}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


# Port 80, because mpris-scrobbler does not accept a port in the URL of an API.
with http.server.ThreadingHTTPServer(("127.0.0.1", 80), Submissions) as server:
    print("ready", flush=True)
    server.serve_forever()
