"""Replays a RenderDoc capture to its last event with RenderDoc itself; with --times it also fetches the GPU duration of each
action, as its counter viewer does. Takes Debian's python3-renderdoc and a display.
  python3 renderdoc-replay.py [--times] FILE.rdc
"""
import sys

import renderdoc as rd


def check(result):
    if result != rd.ResultCode.Succeeded:
        sys.exit(f"RenderDoc: {result}")


rd.InitialiseReplay(rd.GlobalEnvironment(), [])
capture = rd.OpenCaptureFile()
check(capture.OpenFile(sys.argv[-1], "", None))
result, controller = capture.OpenCapture(rd.ReplayOptions(), None)
check(result)
last = controller.GetRootActions()[-1]
while len(last.children) > 0:
    last = last.children[-1]
controller.SetFrameEvent(last.eventId, True)
if "--times" in sys.argv:
    print(len(controller.FetchCounters([rd.GPUCounter.EventGPUDuration])))
controller.Shutdown()
capture.Shutdown()
rd.ShutdownReplay()
