package org.example.newsroom;

import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.event.RunEvent;
import dev.chargehand.testkit.TestRuntime;
import java.util.List;

/** Plays the script of the tests on the screen. */
final class Rehearsal {

    private Rehearsal() {}

    public static void main(String[] arguments) {
        System.out.println("No model is called: a script plays the editor, the researcher and the writer.");
        try (TestRuntime test = TestRuntime.builder(Scripts.article())
                .addListener(Rehearsal::print)
                .build()) {
            RunResult waits = test.bind(Newsroom.editor(
                            words -> List.of("1610: first tea in Amsterdam"),
                            (text, key) -> System.out.println("printed: " + text)))
                    .generate("An article about tea");
            test.runtime()
                    .approve(waits.pendingApprovals().getFirst(), Approver.of("ann"))
                    .result();
        }
    }

    private static void print(RunEvent event) {
        switch (event) {
            case RunEvent.DelegationStart start ->
                System.out.println(start.path() + " asks " + start.agentId() + ": " + start.prompt());
            case RunEvent.ToolCall call ->
                System.out.println(call.path() + " calls " + call.toolName() + " " + call.arguments());
            case RunEvent.RunSuspend waits -> System.out.println("ann approves");
            case RunEvent.TextDelta delta -> System.out.println(delta.path() + ": " + delta.text());
            default -> {}
        }
    }
}
