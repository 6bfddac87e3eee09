package dev.chargehand.testkit;

import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One answer of a scripted model. Built by one thread, then played by any. */
final class Turn {

    /** What every answer uses unless the script says otherwise. */
    static final Usage USUAL_USAGE = Usage.of(10, 5);

    final List<Play.Action> actions = new ArrayList<>();
    final List<Call> calls = new ArrayList<>();
    Predicate<ModelRequest> condition = request -> true;
    String conditionText = "";

    @Nullable
    FinishReason finish;

    Usage usage = USUAL_USAGE;
    boolean streamed = true;
    boolean forever;
    boolean used;

    @Nullable
    Function<ModelRequest, ModelResponse> computed;

    /** A call of the turn; what may still be said of it after it was added. */
    static final class Call {
        @Nullable
        String providerId;

        final String tool;
        List<String> fragments;

        Call(String providerId, String tool, String arguments) {
            this.providerId = providerId;
            this.tool = tool;
            this.fragments = List.of(arguments);
        }
    }

    ModelResponse play(ModelRequest request, ModelCall call) throws InterruptedException {
        Play play = new Play(request, call, streamed);
        for (Play.Action action : actions) {
            action.perform(play);
        }
        return computed == null ? play.answer(finish, usage) : computed.apply(request);
    }
}
