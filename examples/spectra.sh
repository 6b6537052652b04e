#!/bin/sh
# Fat in meat from near-infrared spectra: how many pls components are worth having, judged on rows kept back.
#   sh examples/spectra.sh [folder of tecator.csv]
set -eu
data=${1:-data}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
alidade split -q "$data/tecator.csv" --train 0.667 --groups f1 --seed 1 -o "$work/train.csv" "$work/test.csv"
for dims in 1 2 3 4 5; do
    alidade fit -q "$work/train.csv" --target fat --ignore water,protein --method pls --components $dims \
        --row-scale standard --predictor linear -o "$work/model.ald"
    printf '%d components: ' $dims
    alidade evaluate "$work/model.ald" "$work/test.csv" --json | tr -d '\n'
    echo
done
