#!/bin/sh
# Checks the captures that gpuprof.config.json names: sh gate.sh [COMMIT]
# With a commit, the frame is also compared with the one that it had there.
# Ends as gpuprof gate does: 0 good, 1 something failed, 2 bad usage, 3 something could not be measured.
set -eu
cd "$(dirname "$0")"

command -v gpuprof > /dev/null || { echo "gate.sh: gpuprof is not installed" >&2; exit 3; }
if [ $# -eq 0 ]; then
  exec gpuprof gate --only batches courtyard --junit gate.xml
fi
git show "$1:./../scene.cap" > base.cap || { rm base.cap; exit 2; }
exec gpuprof gate --junit gate.xml
