package dev.chargehand.tool;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import dev.chargehand.message.Fence;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The handler of a tool that a client executes: its call waits for the result, which becomes data in a fence. */
final class ExternalCall implements ToolHandler<Json> {

    /** Of a longer result only the start is for the model, so that the whole fence is within the bytes of a result. */
    private static final int MOST_CHARACTERS = 20_000;

    @Override
    public @Nullable Object handle(Json arguments, ToolContext context) {
        Optional<Json> result = context.providedData();
        return result.isPresent() ? fenced(result.get()) : context.suspend(PendingApproval.EXTERNAL);
    }

    private static String fenced(Json result) {
        String text = result.string().orElse(result.text());
        int length = text.length();
        if (length > MOST_CHARACTERS) {
            text = text.substring(0, MOST_CHARACTERS) + "\n(The first " + MOST_CHARACTERS + " characters of " + length
                    + ".)";
        }
        return Fence.around("client-result", text);
    }
}
