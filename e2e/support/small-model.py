"""A GGUF model behind llama.cpp's own server: `small-model.py FOLDER CONTEXT PORT`, on loopback and on one thread."""

import sys
import threading
from pathlib import Path

import xllamacpp

folder, context, port = sys.argv[1:]
params = xllamacpp.CommonParams()
params.model.path = str(next(Path(folder).glob("*.gguf")))
params.n_ctx = int(context)
params.n_parallel = 1
params.hostnames = ["127.0.0.1"]
params.port = int(port)
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
# It serves for as long as this object lives.
server = xllamacpp.Server(params)
threading.Event().wait()
