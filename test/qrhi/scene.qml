import QtQuick 2.0

Rectangle {
    width: 400
    height: 300
    color: "midnightblue"
    Rectangle {
        width: 60
        height: 60
        color: "gold"
        NumberAnimation on rotation { from: 0; to: 360; duration: 1000; loops: Animation.Infinite }
    }
    Timer { interval: 3000; running: true; onTriggered: Qt.quit() }
}
