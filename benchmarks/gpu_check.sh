#!/usr/bin/env bash
# Everything that needs a GPU: the runtime with all kinds of arrays, and the same under compute-sanitizer.
#
# usage: benchmarks/gpu_check.sh     from the repository's root; python3 must have cladpy's dependencies and PyCUDA.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
status=0

echo "== runtime"
"$python" benchmarks/gpu_runtime.py || status=1

for tool in memcheck racecheck synccheck initcheck; do
  echo "== compute-sanitizer $tool"
  compute-sanitizer --tool "$tool" --error-exitcode 9 \
    "$python" benchmarks/gpu_runtime.py 2>&1 | tail -n 25 || status=1
done

exit "$status"
