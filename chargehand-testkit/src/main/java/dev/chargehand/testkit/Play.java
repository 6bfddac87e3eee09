package dev.chargehand.testkit;

import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One turn of a script while it is played to one model call. */
final class Play {

    private final ModelRequest request;
    private final ModelCall call;
    private final boolean streamed;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder reasoning = new StringBuilder();
    private final List<ModelResponse.RequestedCall> calls = new ArrayList<>();

    Play(ModelRequest request, ModelCall call, boolean streamed) {
        this.request = request;
        this.call = call;
        this.streamed = streamed;
    }

    /** A piece of a turn. */
    @FunctionalInterface
    interface Action {
        void perform(Play play) throws InterruptedException;
    }

    ModelRequest request() {
        return request;
    }

    void onCancel(Runnable close) {
        call.onCancel(close);
    }

    void say(List<String> pieces) {
        for (String piece : pieces) {
            text.append(piece);
            emit(new ModelDelta.Text(piece));
        }
    }

    void reason(String piece) {
        reasoning.append(piece);
        emit(new ModelDelta.Reasoning(piece));
    }

    void call(@Nullable String providerId, String tool, List<String> fragments) {
        int index = calls.size();
        calls.add(new ModelResponse.RequestedCall(providerId, tool, String.join("", fragments)));
        emit(new ModelDelta.ToolCallStart(index, tool));
        fragments.forEach(fragment -> emit(new ModelDelta.ToolCallArguments(index, fragment)));
        emit(new ModelDelta.ToolCallEnd(index));
    }

    ModelResponse answer(@Nullable FinishReason finish, Usage usage) {
        FinishReason usual = calls.isEmpty() ? FinishReason.STOP : FinishReason.TOOL_CALLS;
        return new ModelResponse(text.toString(), reasoning.toString(), calls, finish == null ? usual : finish, usage);
    }

    private void emit(ModelDelta delta) {
        if (streamed) {
            call.delta(delta);
        }
    }
}
