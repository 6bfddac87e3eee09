package dev.chargehand.testkit.replay;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ToolDefinition;
import java.util.List;

/** Holds what a model is called in a replay to what it was called when it was recorded. */
final class Checks {

    private final Recording recording;

    Checks(Recording recording) {
        this.recording = recording;
    }

    /**
     * Compare a request.
     *
     * @param played the run that asks
     * @param recorded the run that it stands for
     * @throws ReplayMismatchException if what is called is something else
     */
    void check(Track played, Track recorded, Fact.Answered answer, ModelRequest request) {
        ConversationState before = recorded.beforeAnswers().get(answer.step() - 1);
        String difference = Lines.difference(
                Lines.of(Transcript.conversation(before)), Lines.of(Transcript.conversation(played.end())));
        if (!difference.isEmpty()) {
            throw new ReplayMismatchException(
                    where(recorded, answer) + " is asked something else, first in " + difference);
        }
        Recording.Definition definition =
                recording.agents().get(recorded.record().path());
        if (definition != null) {
            checkInstructions(definition, recorded, answer, request);
            if (before.offersTools()) {
                checkTools(definition, recorded, answer, request);
            }
        }
    }

    /** What hooks and schemas add to instructions follows them; what hooks add is stored. */
    private static void checkInstructions(
            Recording.Definition definition, Track recorded, Fact.Answered answer, ModelRequest request) {
        boolean instructed = !request.messages().isEmpty()
                && request.messages().getFirst().role() == Role.SYSTEM
                && !request.messages().getFirst().internal();
        String now = instructed ? request.messages().getFirst().text() : "";
        String before = definition.instructions();
        boolean same = now.equals(before) || before.isBlank() || now.startsWith(before + "\n\n");
        if (!same) {
            throw new ReplayMismatchException(where(recorded, answer) + " has other instructions:\n  recorded: "
                    + before + "\n  now:      " + now);
        }
    }

    private static void checkTools(
            Recording.Definition definition, Track recorded, Fact.Answered answer, ModelRequest request) {
        List<String> offered = answer.offered();
        List<String> before = definition.tools().stream()
                .filter(tool -> offered == null || offered.contains(tool))
                .toList();
        List<String> now = request.tools().stream().map(ToolDefinition::name).toList();
        if (!now.equals(before)) {
            throw new ReplayMismatchException(
                    where(recorded, answer) + " is offered other tools, or in another order:\n" + "  recorded: "
                            + String.join(", ", before) + "\n  now:      " + String.join(", ", now));
        }
    }

    private static String where(Track recorded, Fact.Answered answer) {
        return "In step " + answer.step() + " the model of '"
                + recorded.record().path() + "' (recorded run " + recorded.runId() + ")";
    }
}
