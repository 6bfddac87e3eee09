package dev.chargehand.internal.state;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.ObservedHistory;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.fact.task.TaskMessages;
import dev.chargehand.internal.option.Options;
import dev.chargehand.json.Json;
import dev.chargehand.memory.Memory;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.processor.TokenLimiter;
import dev.chargehand.run.ProcessorPhase;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Derives the messages of a run from its state; ids are derived too, so that appending twice changes nothing. */
public final class Transcript {

    /** How the ids of messages end that hold how a step was scored. */
    private static final String INPUT = ".input.";

    private static final String SCORES = ".scores";

    /** How the id of the message ends that asks whether the task of a network is done. */
    private static final String CHECK = ".check";

    /** How the id of an answer ends that is not complete. */
    private static final String PARTIAL = ".partial";

    /** What the ids of messages have after that of the run that show what it remembers. */
    private static final String MEMORY = ".memory.";

    /** What precedes the reference of a result, which is the last line of it. */
    private static final String REFERENCE = "\n\n[ref: ";

    private Transcript() {}

    /** Return where the reference of a delegation's result starts; its length if it has none. */
    public static int startOfReference(String result) {
        int at = result.endsWith("]") ? result.lastIndexOf(REFERENCE) : -1;
        return at < 0 || result.indexOf('\n', at + REFERENCE.length()) >= 0 ? result.length() : at;
    }

    /** Return a message under the id of the one that asks whether the task of a network is done after a step. */
    public static Message check(Message question, ConversationState state) {
        return question.withId(state.runId() + "." + state.stepNumber() + CHECK);
    }

    /** Return whether a message asks whether the task of a network is done. */
    public static boolean isCheck(Message message) {
        return message.id().endsWith(CHECK);
    }

    /**
     * Return whether a message holds how a step was scored: it is kept with the thread, but no part of what was said.
     */
    public static boolean holdsScores(Message message) {
        return message.internal() && message.id().endsWith(SCORES);
    }

    /** Return a message for the model of a run that shows what the run remembers; the memory has bounds of its own. */
    public static Message ofMemory(RunId runId, String what, String text) {
        return new Message(runId + MEMORY + what, Role.USER, List.of(new Part.Text(text)), true);
    }

    /** Return whether a message shows what a run remembers. */
    public static boolean holdsMemory(Message message) {
        return message.internal() && message.id().contains(MEMORY);
    }

    /** Return the input under its ids. */
    public static List<Message> input(RunId runId, List<Message> input) {
        List<Message> messages = new ArrayList<>();
        for (Message message : input) {
            messages.add(message.withId(runId + INPUT + messages.size()));
        }
        return messages;
    }

    /** Return the run whose input has a message of an id; empty if the message is no input. */
    public static Optional<RunId> runOfInput(String messageId) {
        int end = messageId.lastIndexOf(INPUT);
        return end <= 0 ? Optional.empty() : Optional.of(new RunId(messageId.substring(0, end)));
    }

    /** Return the conversation as the model sees it, without instructions; up to the last step whose calls are over. */
    public static List<Message> conversation(ConversationState state) {
        List<Message> messages = new ArrayList<>(state.remembered().before());
        messages.addAll(state.threadTail());
        messages.addAll(state.remembered().after());
        messages.addAll(state.started().context());
        messages.addAll(state.started().input());
        addSteps(state, state.remembered().observedSteps(), messages);
        messages.addAll(ofOpenStep(state));
        return messages;
    }

    /** Return the messages of all steps that are over, feedback for the model included. */
    public static List<Message> ofSteps(ConversationState state) {
        List<Message> messages = new ArrayList<>();
        addSteps(state, 0, messages);
        return messages;
    }

    /**
     * Return how many tokens the conversation of a run has that it sees as it was said, of a run with observations. Its input, which
     * it always sees, counts until it was observed.
     */
    public static long tokens(ConversationState state) {
        ObservedHistory observed = state.remembered().observed();
        int leftOut = observed == null ? 0 : observed.steps();
        List<Message> messages =
                new ArrayList<>(leftOut > 0 ? List.of() : state.started().input());
        addSteps(state, leftOut, messages);
        return tokens(messages) + (observed == null ? 0 : observed.tokens());
    }

    /**
     * Return whether messages are to get vectors after a run. One that ended before it recalled anything has left its input in
     * the thread.
     */
    public static boolean isIndexedAfter(ConversationState state, Memory memory) {
        Fact.Recalled recalled = state.remembered().fact();
        return recalled == null
                ? memory.semanticRecall().isPresent()
                        && !state.started().submitted()
                        && state.started().settings().get(Options.MEMORY).recalls()
                : recalled.embedder() != null;
    }

    /** Return whether messages are to be observed after a run, if its agent does that: there are too many, or a try has failed. */
    public static boolean isObservedAfter(ConversationState state, Memory memory) {
        ObservedHistory observed = state.remembered().observed();
        return memory.observations()
                .filter(settings ->
                        observed == null || observed.hasFailed() || tokens(state) > settings.messageTokens())
                .isPresent();
    }

    /** Return how many tokens messages have. */
    public static long tokens(List<Message> messages) {
        return messages.stream().mapToLong(TokenLimiter::estimate).sum();
    }

    /** Return the messages of a step that is over, feedback for the model included. */
    public static List<Message> ofStep(ConversationState state, StepState step) {
        return step.messages(over -> ofStepThatIsOver(state.runId(), over));
    }

    private static void addSteps(ConversationState state, int leftOut, List<Message> messages) {
        for (StepState step : state.steps().subList(leftOut, state.steps().size())) {
            messages.addAll(refusals(state, step.number()));
            messages.addAll(ofStep(state, step));
        }
        messages.addAll(refusals(state, state.steps().size() + 1));
        messages.addAll(bail(state));
    }

    private static List<Message> ofStepThatIsOver(RunId runId, StepState step) {
        List<Message> messages = new ArrayList<>(ofStep(runId, step));
        messages.addAll(feedback(runId, step));
        messages.addAll(said(runId, step.number(), step.said()));
        return messages;
    }

    /** Why processors rejected answers to a step: for the model's next answer, which does not see those. */
    private static List<Message> refusals(ConversationState state, int step) {
        if (state.rejected().isEmpty()) {
            return List.of();
        }
        List<Message> messages = new ArrayList<>();
        for (Fact.Processed rejected : state.rejected()) {
            if (rejected.step() == step
                    && rejected.trip() instanceof StopReason.Tripwire trip
                    && trip.phase() != ProcessorPhase.OUTPUT_RESULT) {
                String id = state.runId() + "." + step + ".refused." + messages.size();
                messages.add(internal(id, refusal(trip)));
            }
        }
        return messages;
    }

    /** Return the message to the model about an answer that did not pass. */
    public static String refusal(StopReason.Tripwire trip) {
        return "The check '" + trip.processor() + "' rejected your last answer, and the user did not see it: "
                + trip.reason() + "\nAnswer again in a way that avoids this.";
    }

    /** Return the messages of the open step, once its calls are over. */
    public static List<Message> ofOpenStep(ConversationState state) {
        return state.open() != null && state.open().isSettled() ? ofStep(state.runId(), state.open()) : List.of();
    }

    /**
     * Return what the run itself added to the conversation: its input, its steps, the answer of a delegation that
     * bailed, and an answer that was cut off. Feedback is between the framework and the model.
     */
    public static List<Message> ofRun(ConversationState state) {
        List<Message> messages = new ArrayList<>(state.started().input());
        for (Message message : ofSteps(state)) {
            if (!message.internal()) {
                messages.add(message);
            }
        }
        messages.addAll(partial(state));
        return messages;
    }

    /** Return the messages that a fact adds to the thread, given the state after it. */
    public static List<Message> addedBy(Fact fact, ConversationState after) {
        return switch (fact) {
            case Fact.Started started -> started.submitted() ? List.of() : shown(started.input());
            case Fact.ExecutionStarted ignored -> shown(after.started().input());
            case Fact.StepClosed closed -> {
                List<Message> messages =
                        new ArrayList<>(ofStep(after.runId(), after.steps().getLast()));
                if (closed.scoresKept()) {
                    messages.add(internal(
                            after.runId() + "." + closed.step() + SCORES,
                            Json.of(closed.completion()).text()));
                }
                messages.addAll(bail(after));
                yield messages;
            }
            case Fact.Stopped ignored -> {
                // the last step may be over since long: its ids are then in the thread, and nothing is added
                List<Message> messages = new ArrayList<>();
                if (!after.steps().isEmpty()) {
                    messages.addAll(ofStep(after.runId(), after.steps().getLast()));
                }
                messages.addAll(partial(after));
                yield messages;
            }
            case Fact.Said said -> {
                List<Message> all =
                        said(after.runId(), said.step(), after.steps().getLast().said());
                yield all.subList(all.size() - said.messages().size(), all.size());
            }
            case Fact.Suspended ignored -> List.of();
            case Fact.Resumed ignored -> List.of();
            case Fact.Recalled ignored -> List.of();
            case Fact.Answered ignored -> List.of();
            case Fact.Processed ignored -> List.of();
            case Fact.CallOpened ignored -> List.of();
            case Fact.CallParked ignored -> List.of();
            case Fact.CallDecided ignored -> List.of();
            case Fact.CallClosed ignored -> List.of();
            case RoundFact ignored -> List.of();
        };
    }

    private static List<Message> shown(List<Message> input) {
        return input.stream().filter(message -> !message.internal()).toList();
    }

    /** What hooks and scorers said about a step: for the model's next answer, and for no later run. */
    private static List<Message> feedback(RunId runId, StepState step) {
        if (step.closed() == null || step.closed().feedback().isEmpty()) {
            return List.of();
        }
        List<Message> messages = new ArrayList<>();
        for (String text : step.closed().feedback()) {
            messages.add(internal(runId + "." + step.number() + ".feedback." + messages.size(), text));
        }
        return messages;
    }

    private static List<Message> said(RunId runId, int step, List<Message> said) {
        if (said.isEmpty()) {
            return List.of();
        }
        List<Message> messages = new ArrayList<>();
        for (Message message : said) {
            messages.add(
                    TaskMessages.taskOf(message).isPresent()
                            ? message
                            : message.withId(runId + "." + step + ".said." + messages.size()));
        }
        return messages;
    }

    private static Message internal(String id, String text) {
        return new Message(id, Role.SYSTEM, List.of(new Part.Text(text)), true);
    }

    private static List<Message> bail(ConversationState state) {
        return state.bailed().isEmpty() || state.text().isBlank()
                ? List.of()
                : List.of(Message.assistant(state.text())
                        .withId(state.runId() + "." + state.steps().size() + ".bail"));
    }

    private static List<Message> partial(ConversationState state) {
        return state.partialText().isEmpty()
                ? List.of()
                : List.of(Message.assistant(state.partialText()).withId(state.runId() + PARTIAL));
    }

    private static List<Message> ofStep(RunId runId, StepState step) {
        List<Part> said = new ArrayList<>();
        if (!step.reasoning().isEmpty() || step.providerState() != null) {
            said.add(new Part.Reasoning(step.reasoning(), step.providerState()));
        }
        if (!step.selectionReason().isBlank()) {
            said.add(new Part.Reasoning(step.selectionReason()));
        }
        String text = step.spokenText();
        if (!text.isEmpty()) {
            said.add(new Part.Text(text));
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
            boolean complete = step.answered().finish().isComplete();
            String id = runId + "." + step.number() + (complete ? ".answer" : PARTIAL);
            messages.add(new Message(id, Role.ASSISTANT, said, false));
        }
        if (!results.isEmpty()) {
            messages.add(new Message(runId + "." + step.number() + ".results", Role.TOOL, results, false));
        }
        for (CallState call : step.calls()) {
            if (call.closed() != null
                    && call.closed().verdict() != null
                    && call.closed().verdict().feedback() != null) {
                messages.add(internal(
                        runId + "." + step.number() + ".feedback." + call.callId(),
                        call.closed().verdict().feedback()));
            }
        }
        if (!step.finalResult().isEmpty()) {
            messages.add(Message.assistant(step.finalResult()).withId(runId + "." + step.number() + ".result"));
        }
        return messages;
    }

    private static Part.ToolResult result(CallState call) {
        Fact.CallClosed closed = call.closed();
        if (closed == null) {
            throw new IllegalStateException("Call " + call.callId() + " is not over.");
        }
        String shown = call.reference() == null ? closed.shown() : closed.shown() + REFERENCE + call.reference() + "]";
        return new Part.ToolResult(call.callId(), call.call().name(), shown, closed.hasFailed());
    }
}
