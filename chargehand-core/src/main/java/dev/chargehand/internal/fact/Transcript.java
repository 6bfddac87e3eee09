package dev.chargehand.internal.fact;

import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.run.RunId;
import java.util.ArrayList;
import java.util.List;

/** Derives the messages of a run from its state; ids are derived too, so that appending twice changes nothing. */
public final class Transcript {

    private Transcript() {}

    /** Returns the input under its ids. */
    public static List<Message> input(RunId runId, List<Message> input) {
        List<Message> messages = new ArrayList<>();
        for (Message message : input) {
            messages.add(message.withId(runId + ".input." + messages.size()));
        }
        return messages;
    }

    /** Returns the messages of all steps that are over. */
    public static List<Message> ofSteps(State state) {
        List<Message> messages = new ArrayList<>();
        state.steps().forEach(step -> messages.addAll(ofStep(state.runId(), step)));
        return messages;
    }

    /** Returns what the run itself added to the conversation: its input, its steps, and an answer that was cut off. */
    public static List<Message> ofRun(State state) {
        List<Message> messages = new ArrayList<>(state.started().input());
        messages.addAll(ofSteps(state));
        messages.addAll(partial(state));
        return messages;
    }

    /** Returns the messages that a fact adds to the thread, given the state after it. */
    public static List<Message> addedBy(Fact fact, State after) {
        return switch (fact) {
            case Fact.Started started -> started.input();
            case Fact.StepClosed ignored -> ofStep(after.runId(), after.steps().getLast());
            case Fact.Stopped ignored -> {
                // the last step may be over since long: its ids are then in the thread, and nothing is added
                List<Message> messages = new ArrayList<>();
                if (!after.steps().isEmpty()) {
                    messages.addAll(ofStep(after.runId(), after.steps().getLast()));
                }
                messages.addAll(partial(after));
                yield messages;
            }
            case Fact.Resumed ignored -> List.of();
            case Fact.Answered ignored -> List.of();
            case Fact.CallOpened ignored -> List.of();
            case Fact.CallClosed ignored -> List.of();
        };
    }

    private static List<Message> partial(State state) {
        return state.partialText().isEmpty()
                ? List.of()
                : List.of(Message.assistant(state.partialText()).withId(state.runId() + ".partial"));
    }

    private static List<Message> ofStep(RunId runId, StepState step) {
        List<Part> said = new ArrayList<>();
        if (!step.answered().reasoning().isEmpty()) {
            said.add(new Part.Reasoning(step.answered().reasoning()));
        }
        if (!step.answered().text().isEmpty()) {
            said.add(new Part.Text(step.answered().text()));
        }
        List<Part> results = new ArrayList<>();
        for (CallState call : step.calls()) {
            said.add(new Part.ToolCall(
                    call.callId(),
                    call.call().providerId(),
                    call.call().name(),
                    call.call().arguments()));
            results.add(result(call));
        }
        List<Message> messages = new ArrayList<>();
        if (!said.isEmpty()) {
            messages.add(new Message(runId + "." + step.number() + ".answer", Role.ASSISTANT, said, false));
        }
        if (!results.isEmpty()) {
            messages.add(new Message(runId + "." + step.number() + ".results", Role.TOOL, results, false));
        }
        return messages;
    }

    private static Part.ToolResult result(CallState call) {
        Fact.CallClosed closed = call.closed();
        if (closed == null) {
            throw new IllegalStateException("Call " + call.callId() + " is not over.");
        }
        return new Part.ToolResult(call.callId(), call.call().name(), closed.shown(), closed.hasFailed());
    }
}
