package dev.chargehand.internal.engine;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.journal.MessageCodec;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.ArgumentDigest;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.store.Append.IdempotencyKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The idempotency keys of calls that start runs. */
public final class RunKeys {

    private RunKeys() {}

    /** Return whether options have a key. */
    public static boolean isIn(OptionValues options) {
        return options.get(Options.IDEMPOTENCY_KEY) != null;
    }

    /**
     * Reject a key of a call that cannot return the run of another one.
     *
     * @param call what is called
     */
    public static void requireNone(String call, OptionValues options) {
        if (isIn(options)) {
            throw new ConfigurationException("Option 'idempotencyKey' is not for " + call
                    + ", which cannot return the run of an earlier call; use it with start, generate or submit.");
        }
    }

    /** Return the key of a call, or null; it counts for the tenant, the agent, the thread's owner and the requester. */
    public static @Nullable IdempotencyKey of(
            String tenantId, AgentDefinition agent, List<Message> input, OptionValues options) {
        String key = options.get(Options.IDEMPOTENCY_KEY);
        return key == null
                ? null
                : new IdempotencyKey(
                        digest(Arrays.asList(
                                tenantId,
                                options.get(Options.RESOURCE),
                                options.get(Options.REQUESTER),
                                "agents/" + agent.id(),
                                key)),
                        digestOf(input, options));
    }

    /** The ids of messages are minted for each call. */
    private static String digestOf(List<Message> input, OptionValues options) {
        List<@Nullable String> parts = new ArrayList<>();
        parts.add(options.get(Options.THREAD));
        input.forEach(message -> parts.add(MessageCodec.write(message.withId("input"))));
        return digest(parts);
    }

    private static String digest(List<@Nullable String> parts) {
        return ArgumentDigest.of(Json.of(parts));
    }
}
