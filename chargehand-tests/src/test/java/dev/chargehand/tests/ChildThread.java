package dev.chargehand.tests;

import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.thread.ThreadOwner;
import java.util.List;

/** Reads the thread of a delegation. */
final class ChildThread {

    private ChildThread() {}

    static List<String> read(TestRuntime test, String threadId, String resourceId, String path) {
        return test
                .store()
                .readThread(threadId, new ThreadOwner(resourceId, path), Long.MAX_VALUE, Integer.MAX_VALUE)
                .stream()
                .map(entry -> Wire.line(Message.fromJson(Json.parse(entry.text()))))
                .toList();
    }
}
