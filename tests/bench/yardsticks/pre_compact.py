"""The project's part of PreCompact as a Python hook does it: the transcript's tail, the last project named by a tool."""
import json
import os
import re
import sys
from datetime import datetime, timezone

TAIL_LINES = 50
CHUNK = 64 * 1024


def tail(path):
    with open(path, "rb") as file:
        file.seek(0, os.SEEK_END)
        position = file.tell()
        data = b""
        while position > 0 and data.count(b"\n") <= TAIL_LINES:
            step = min(CHUNK, position)
            position -= step
            file.seek(position)
            data = file.read(step) + data
    return data.decode("utf-8", "replace").splitlines()[-TAIL_LINES:]


def calls(line):
    try:
        row = json.loads(line)
    except ValueError:
        return
    content = row.get("message", {}).get("content") if isinstance(row, dict) else None
    for block in content if isinstance(content, list) else []:
        if isinstance(block, dict) and block.get("type") == "tool_use":
            yield block.get("input", {})


def main():
    payload = json.load(sys.stdin)
    root = os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd()
    projects = os.path.join(root, "02-projects")
    known = set(os.listdir(projects)) if os.path.isdir(projects) else set()
    pattern = re.compile(r"02-projects/(\d+-[a-z0-9-]+)/")
    project = None
    for line in reversed(tail(payload["transcript_path"])):
        for arguments in calls(line):
            found = pattern.search(str(arguments.get("file_path", "")))
            if found and found.group(1) in known:
                project = found.group(1)
                break
        if project:
            break
    if project:
        cache = os.path.join(root, "00-system", ".cache")
        os.makedirs(cache, exist_ok=True)
        state = {
            "active_project_id": project,
            "confidence": "high",
            "detection_method": "transcript",
            "timestamp": datetime.now(timezone.utc).isoformat(),
            "session_id": payload.get("session_id"),
        }
        target = os.path.join(cache, "precompact_state.json")
        with open(target + ".tmp", "w", encoding="utf-8") as file:
            json.dump(state, file)
        os.replace(target + ".tmp", target)
    print("{}")


main()
