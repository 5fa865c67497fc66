"""A UPnP control point for a renderer on the loopback interface.

    upnp.py find NAME           searches a renderer by name for at most 30 s, and prints the URL of its description
    upnp.py call DESCRIPTION ACTION [NAME=VALUE…]   calls an action, and prints each result as NAME=VALUE
    upnp.py events DESCRIPTION  subscribes to the renderer's events, and prints each value as NAME=VALUE
    upnp.py serve FOLDER        serves a folder by HTTP, and prints the URL of the server
"""

import functools
import http.server
import pathlib
import re
import socket
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ElementTree
from xml.sax.saxutils import escape

SEARCH = (
    "M-SEARCH * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nMAN: \"ssdp:discover\"\r\nMX: 1\r\n"
    "ST: urn:schemas-upnp-org:device:MediaRenderer:%d\r\n\r\n"
)
DEVICE = "{urn:schemas-upnp-org:device-1-0}"


def name(description):
    with urllib.request.urlopen(description, timeout=10) as answer:
        return ElementTree.parse(answer).getroot().findtext(f".//{DEVICE}friendlyName")


def find(wanted):
    found = {}
    deadline = time.monotonic() + 30
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as search:
        search.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
        search.settimeout(1)
        # Searches are UDP packets: the protocol asks to repeat them.
        while time.monotonic() < deadline:
            for version in (1, 2):
                search.sendto((SEARCH % version).encode(), ("239.255.255.250", 1900))
            try:
                while True:
                    description = re.search(r"(?im)^location:\s*(\S+)", search.recv(4096).decode()).group(1)
                    found[description] = found.get(description) or name(description)
                    if found[description] == wanted:
                        return description
            except TimeoutError:
                continue
    sys.exit(f"no renderer {wanted} within 30 s, only {list(found.values())}")


def services(description):
    """The control and event URLs of each service, by service type."""
    with urllib.request.urlopen(description, timeout=10) as answer:
        root = ElementTree.parse(answer).getroot()
    return {
        service.findtext(DEVICE + "serviceType"): (
            urllib.parse.urljoin(description, service.findtext(DEVICE + "controlURL")),
            urllib.parse.urljoin(description, service.findtext(DEVICE + "eventSubURL")),
        )
        for service in root.iter(DEVICE + "service")
    }


def call(description, action, arguments):
    part = "RenderingControl" if action.endswith("Volume") else "AVTransport"
    kind, (control, _) = next((kind, urls) for kind, urls in services(description).items() if f":{part}:" in kind)
    values = {"InstanceID": "0"} | arguments
    body = (
        '<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"'
        ' s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>'
        f'<u:{action} xmlns:u="{kind}">'
        + "".join(f"<{name}>{escape(value)}</{name}>" for name, value in values.items())
        + f"</u:{action}></s:Body></s:Envelope>"
    )
    headers = {"Content-Type": 'text/xml; charset="utf-8"', "SOAPAction": f'"{kind}#{action}"'}
    request = urllib.request.Request(control, body.encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            reply = ElementTree.parse(answer).getroot()
    except urllib.error.HTTPError as error:
        text = " ".join(re.findall(r"<error(?:Code|Description)>([^<]*)<", error.read().decode()))
        sys.exit(f"{action}: {text or error}")
    for element in reply.iter():
        if not len(element) and "}" not in element.tag:
            print(f"{element.tag}={element.text or ''}")


class Listener(http.server.BaseHTTPRequestHandler):
    """Receives event notifications and prints the values in LastChange."""

    def do_NOTIFY(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        for change in ElementTree.fromstring(body).iter("LastChange"):
            for element in ElementTree.fromstring(change.text).iter():
                if "val" in element.attrib:
                    print(f"{element.tag.split('}')[-1]}={element.attrib['val']}", flush=True)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


def events(description):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listener) as server:
        for kind, (_, address) in services(description).items():
            if ":AVTransport:" not in kind and ":RenderingControl:" not in kind:
                continue
            headers = {"CALLBACK": f"<http://127.0.0.1:{server.server_port}/>", "NT": "upnp:event", "TIMEOUT": "Second-300"}
            urllib.request.urlopen(urllib.request.Request(address, headers=headers, method="SUBSCRIBE"), timeout=10)
        print("subscribed", flush=True)
        server.serve_forever()


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves files, whole or one range of bytes, as the media servers of UPnP do."""

    extensions_map = {".flac": "audio/flac"}

    def do_GET(self):
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        path = pathlib.Path(self.translate_path(self.path))
        if not wanted or not path.is_file():
            return super().do_GET()
        data = path.read_bytes()
        first, last = int(wanted[1]), min(int(wanted[2] or len(data) - 1), len(data) - 1)
        if first > last:
            return self.send_error(http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
        self.send_response(http.HTTPStatus.PARTIAL_CONTENT)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
        self.send_header("Content-Length", str(last + 1 - first))
        self.end_headers()
        self.wfile.write(data[first : last + 1])

    def end_headers(self):
        self.send_header("Accept-Ranges", "bytes")
        super().end_headers()


def serve(folder):
    handler = functools.partial(Files, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        print(f"http://127.0.0.1:{server.server_port}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["find", wanted]:
            print(find(wanted))
        case ["call", description, action, *words]:
            call(description, action, dict(word.split("=", 1) for word in words))
        case ["events", description]:
            events(description)
        case ["serve", folder]:
            serve(folder)
        case _:
            sys.exit(__doc__)
