#!/bin/sh
# Sparse multi-label text: 101 labels from 2000 words that no table would hold densely, reduced to 20 numbers a document by three methods.
#   sh examples/labels.sh
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
alidade generate -q rcv1 --n 1500 --d 2000 --seed 1 -o "$work/words.svm"
alidade split -q "$work/words.svm" --train 0.667 --seed 1 -o "$work/train.svm" "$work/test.svm"
for method in cca opls hsl; do
    alidade fit -q "$work/train.svm" --method $method --components 20 --ridge 1 --solver two-stage --predictor linear -o "$work/model.ald"
    printf '%s: ' $method
    alidade evaluate -q "$work/model.ald" "$work/test.svm" --json | tr -d '\n'
    echo
done
