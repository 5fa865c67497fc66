"""Prints the names of the failed tests of a run, a line each.

The argument is the run's event stream of Swift Testing. Prints nothing, and exits with 1, if the failure may have another cause
than these tests: the run did not end, or an issue belongs to no test.
"""

import json
import sys

failed = set()
ended = False
with open(sys.argv[1], encoding="utf-8") as stream:
    for line in stream:
        try:
            payload = json.loads(line)["payload"]
        except (ValueError, KeyError):
            sys.exit(1)  # the process ended within a line
        kind = payload.get("kind")
        ended = ended or kind == "runEnded"
        if kind == "issueRecorded" and not payload["issue"].get("isKnown", False):
            if "testID" not in payload:
                sys.exit(1)
            # The filter's IDs are without the location, which is the last part.
            failed.add(payload["testID"].rpartition("/")[0])
if not ended or not failed:
    sys.exit(1)
for name in sorted(failed):
    print(name)
