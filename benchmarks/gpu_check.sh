#!/usr/bin/env bash
# Everything that needs a GPU: the acceptance cases, the runtime with all kinds of arrays, the gradients of all kernels
# of the table, those of standard operations against PyTorch's (stored: PyTorch is not needed), the softmax of rows with
# ties, random kernels, compute-sanitizer over a choice of them, and times.
#
# usage: benchmarks/gpu_check.sh [RESULTS]     from anywhere; python3 must have cladpy's dependencies and PyCUDA.
# RESULTS is the folder for what the steps print and for the tables; benchmarks/results unless given.
#
# BACKEND=host tries the script where there is no GPU: without sanitizers, and with small sizes.
set -uo pipefail
cd "$(dirname "$0")/.."
root=$PWD
python=${PYTHON:-python3}
backend=${BACKEND:-cuda}
results=$(realpath -m "${1:-benchmarks/results}")
mkdir -p "$results"
export PYTHONPATH="$root${PYTHONPATH:+:$PYTHONPATH}"
export CLADPY_CACHE_DIR=${CLADPY_CACHE_DIR:-$(mktemp -d)/cache}
status=0
names=()
processes=()

# step NAME COMMAND...: runs in the background; what it prints goes to RESULTS/gpu-NAME.log
step() {
  local name=$1
  shift
  "$@" >"$results/gpu-$name.log" 2>&1 &
  names+=("$name")
  processes+=($!)
}

# Waits for the steps begun so far, and prints the last lines of each.
finish() {
  local k
  for k in "${!names[@]}"; do
    if wait "${processes[$k]}"; then echo "== ${names[$k]}: passed"; else echo "== ${names[$k]}: FAILED ($?)"; status=1; fi
    tail -n "$1" "$results/gpu-${names[$k]}.log"
  done
  names=()
  processes=()
  echo "-- after $SECONDS s"
}

"$python" -m cladpy doctor
step acceptance "$python" tests/acceptance/acceptance.py "$backend" talk launch
if [ "$backend" = cuda ]; then
  step runtime "$python" benchmarks/gpu_runtime.py
  step misuse "$python" -m benchmarks.gpu_misuse
  step nonfinite "$python" -m benchmarks.gpu_nonfinite
fi
step gradients "$python" -m benchmarks.gpu_gradients compare --backend "$backend" --output "$results/gpu-gradients.md"
finish 14

step torch "$python" -m tests.torch_reference --backend "$backend"
ties=()
[ "$backend" = cuda ] || ties=(--rows 64 --columns 96)
step ties "$python" -m benchmarks.ties --backend "$backend" "${ties[@]}"
finish 12

step random "$python" -m benchmarks.gpu_random --backend "$backend" --count "${RANDOM_KERNELS:-60}"
finish 8

if [ "$backend" = cuda ]; then
  # everything is compiled by now, so the sanitizers see launches only
  for tool in memcheck racecheck synccheck initcheck; do
    watch=(timeout 280 compute-sanitizer --tool "$tool" --error-exitcode 9)
    for part in 1/4 2/4 3/4 4/4; do
      step "$tool-${part%/4}" "${watch[@]}" "$python" -m benchmarks.gpu_gradients exercise --part "$part"
    done
    # the runtime asks the driver about pointers that it may not know: those answers are no faults
    step "$tool-runtime" "${watch[@]}" --report-api-errors no "$python" benchmarks/gpu_runtime.py
  done
else
  step exercise "$python" -m benchmarks.gpu_gradients exercise --backend "$backend"
fi
finish 3

step times "$python" -m benchmarks --backend "$backend" --output "$results"
finish 20

[ $status = 0 ] && echo "all passed" || echo "SOMETHING FAILED"
exit $status
