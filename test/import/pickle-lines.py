"""What apitrace itself reads from a trace, one call a line: `apitrace pickle FILE.trace | python3 pickle-lines.py`.

The lines are those of call-lines.ts; `| sha256sum` gives the digests in apitrace-samples.test.ts.
"""

import hashlib
import json
import pickle
import struct
import sys


class Pointer(int):
    pass


class Unpickler(pickle.Unpickler):
    def find_class(self, module, name):
        if name == 'Pointer':
            return Pointer
        raise pickle.UnpicklingError(name)


def plain(value):
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, Pointer):
        return 'pointer %d' % value
    if isinstance(value, int):
        return 'number %d' % value
    if isinstance(value, float):
        if value.is_integer() and abs(value) < 2**53:
            return 'number %d' % value
        return 'double ' + struct.pack('>d', value).hex()
    if isinstance(value, (bytes, bytearray)):
        return 'blob %d %s' % (len(value), hashlib.md5(value).hexdigest())
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items()}
    return [plain(member) for member in value]


while True:
    try:
        call = Unpickler(sys.stdin.buffer).load()
    except EOFError:
        break
    function, arguments, result, _ = call[-4:]  # Newer versions of apitrace give the thread before them.
    line = [call[0], function, [[name, plain(value)] for name, value in arguments], plain(result)]
    print(json.dumps(line, ensure_ascii=False, separators=(',', ':')))
