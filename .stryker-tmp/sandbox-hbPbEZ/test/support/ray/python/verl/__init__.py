"""A stand-in for verl in tests: the modules that jobs call, with real steps on the embedded models underneath."""
import os
import sys


def run(name):
    node = os.environ["GENENV_TEST_NODE"]
    os.execv(node, [node, os.environ["GENENV_TEST_TRAINER"], name, *sys.argv[1:]])
