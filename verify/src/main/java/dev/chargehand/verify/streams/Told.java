package dev.chargehand.verify.streams;

import dev.chargehand.internal.text.WellFormed;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelResponse.RequestedCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Puts deltas together again, as who reads them does, and finds what does not fit. */
final class Told {

    private final StringBuilder text = new StringBuilder();
    private final StringBuilder reasoning = new StringBuilder();
    private final Map<Integer, Call> calls = new HashMap<>();
    private final List<String> faults = new ArrayList<>();

    private Told() {}

    /** A call, known by its place: a call may start before one that stands before it, but only once. */
    private static final class Call {

        private final String name;
        private final StringBuilder arguments = new StringBuilder();
        private boolean ended;

        private Call(String name) {
            this.name = name;
        }
    }

    /** Return what is wrong between deltas and the answer they belong to. */
    static List<String> faults(List<ModelDelta> deltas, ModelResponse answer) {
        Told told = new Told();
        deltas.forEach(told::add);
        told.compare("text", WellFormed.text(told.text.toString()), answer.text());
        told.compare("reasoning", WellFormed.text(told.reasoning.toString()), answer.reasoning());
        told.compare("number of calls", told.calls.size(), answer.toolCalls().size());
        for (int i = 0; i < answer.toolCalls().size(); i++) {
            told.compare(i, answer.toolCalls().get(i));
        }
        return told.faults;
    }

    private void add(ModelDelta delta) {
        switch (delta) {
            case ModelDelta.Text more -> text.append(more.text());
            case ModelDelta.Reasoning more -> reasoning.append(more.text());
            case ModelDelta.ToolCallStart start -> {
                if (calls.put(start.index(), new Call(start.toolName())) != null) {
                    faults.add("call " + start.index() + " begins twice");
                }
            }
            case ModelDelta.ToolCallArguments more ->
                open(more.index()).ifPresent(call -> call.arguments.append(more.fragment()));
            case ModelDelta.ToolCallEnd end -> open(end.index()).ifPresent(call -> call.ended = true);
        }
    }

    private Optional<Call> open(int index) {
        Call call = calls.get(index);
        if (call == null || call.ended) {
            faults.add("call " + index + " goes on or ends, and is not open");
            return Optional.empty();
        }
        return Optional.of(call);
    }

    private void compare(int index, RequestedCall answered) {
        Call call = calls.get(index);
        if (call == null) {
            faults.add("call " + index + " is answered and was never told");
            return;
        }
        compare("name of call " + index, WellFormed.text(call.name), answered.name());
        compare("arguments of call " + index, WellFormed.text(call.arguments.toString()), answered.arguments());
        compare("end of call " + index, call.ended, true);
    }

    private void compare(String what, Object told, Object answered) {
        if (!told.equals(answered)) {
            faults.add(what + " is told as <" + told + "> and answered as <" + answered + ">");
        }
    }
}
