package dev.chargehand.provider.stream;

import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.fault.WireLimits;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Assembles tool calls from their fragments, and emits them as deltas.
 *
 * <p>Fragments of several calls may alternate. A call is known by its index; where a server sends none, or the same for
 * every call, by its id, and at last by its name and by whether the call before it is whole. Not thread-safe.
 */
final class CallAssembler {

    private static final String NONE = "null";
    private static final int LONGEST_NONE = 16;

    private final List<Open> calls = new ArrayList<>(1);
    private final WireLimits limits;
    private final ProviderFaults faults;

    CallAssembler(WireLimits limits, ProviderFaults faults) {
        this.limits = limits;
        this.faults = faults;
    }

    /** A call whose arguments are still arriving. */
    private static final class Open {

        final int place;
        final int index;
        String id;
        String name = "";
        boolean reported;
        boolean argumentsReported;
        final StringBuilder arguments = new StringBuilder();

        Open(int place, CallFragment first) {
            this.place = place;
            this.index = first.index();
            this.id = first.id();
        }

        /** Return whether the arguments so far may turn out to be none; a long blank is not waited for. */
        boolean mayHaveNone() {
            return arguments.length() <= LONGEST_NONE
                    && NONE.startsWith(arguments.toString().strip());
        }

        /** Turn arguments that are none into an empty object: nothing, white space, or {@code null}. */
        void end() {
            if (argumentsReported) {
                return;
            }
            String text = arguments.toString().strip();
            if (text.isEmpty() || text.equals(NONE)) {
                arguments.setLength(0);
                arguments.append("{}");
            }
        }

        boolean isWhole() {
            return WireJson.isObject(arguments.toString());
        }

        /** Return whether a fragment that names a tool starts another call, without any other sign of it. */
        boolean endsBefore(CallFragment next) {
            return !next.name().isEmpty() && !name.isEmpty() && (!next.name().equals(name) || isWhole());
        }
    }

    void accept(CallFragment fragment, ModelCall call) {
        Open open = find(fragment);
        if (open == null) {
            if (calls.size() == limits.toolCalls()) {
                throw faults.tooLarge("the answer", limits.toolCalls(), "tool calls");
            }
            open = new Open(calls.size(), fragment);
            calls.add(open);
        }
        if (open.id.isEmpty()) {
            open.id = fragment.id();
        }
        if (open.name.isEmpty()) {
            open.name = fragment.name();
        }
        open.arguments.append(fragment.arguments());
        if (!open.name.isEmpty()) {
            tell(open, fragment.arguments(), call);
        }
    }

    /** Emit the ends of all calls: fragments may come in any order, so that none ends before the answer does. */
    void finish(ModelCall call) {
        for (Open open : calls) {
            open.end();
            begin(open, call);
            tellArguments(open, call);
            call.delta(new ModelDelta.ToolCallEnd(open.place));
        }
    }

    List<RequestedCall> calls() {
        List<RequestedCall> whole = new ArrayList<>(calls.size());
        for (Open open : calls) {
            whole.add(new RequestedCall(open.id, open.name, open.arguments.toString()));
        }
        return whole;
    }

    private @Nullable Open find(CallFragment fragment) {
        if (fragment.index() != CallFragment.NO_INDEX) {
            Open open = byIndex(fragment.index());
            boolean another = open != null && mayBeAnother(open, fragment) && open.endsBefore(fragment);
            return another ? null : open;
        }
        if (!fragment.id().isEmpty()) {
            return byId(fragment.id());
        }
        Open last = calls.isEmpty() ? null : calls.getLast();
        return last != null && last.endsBefore(fragment) ? null : last;
    }

    /** Return whether an index may be that of two calls: their ids differ, or there are none and more follows. */
    private static boolean mayBeAnother(Open open, CallFragment fragment) {
        if (fragment.id().isEmpty() && open.id.isEmpty()) {
            return !fragment.arguments().isBlank();
        }
        return !fragment.id().isEmpty() && !open.id.isEmpty() && !fragment.id().equals(open.id);
    }

    private @Nullable Open byIndex(int index) {
        for (int i = calls.size() - 1; i >= 0; i--) {
            if (calls.get(i).index == index) {
                return calls.get(i);
            }
        }
        return null;
    }

    private @Nullable Open byId(String id) {
        for (int i = calls.size() - 1; i >= 0; i--) {
            if (calls.get(i).id.equals(id)) {
                return calls.get(i);
            }
        }
        return null;
    }

    private static void tell(Open open, String more, ModelCall call) {
        begin(open, call);
        if (!open.argumentsReported) {
            if (!open.mayHaveNone()) {
                tellArguments(open, call);
            }
        } else if (!more.isEmpty()) {
            call.delta(new ModelDelta.ToolCallArguments(open.place, more));
        }
    }

    private static void begin(Open open, ModelCall call) {
        if (!open.reported) {
            open.reported = true;
            call.delta(new ModelDelta.ToolCallStart(open.place, open.name));
        }
    }

    private static void tellArguments(Open open, ModelCall call) {
        if (!open.argumentsReported) {
            open.argumentsReported = true;
            call.delta(new ModelDelta.ToolCallArguments(open.place, open.arguments.toString()));
        }
    }
}
