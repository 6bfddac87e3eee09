package dev.chargehand.internal.engine;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.engine.kind.RunAssembly;
import dev.chargehand.internal.journal.MessageCodec;
import dev.chargehand.internal.option.EntryStart;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.ArgumentDigest;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append.IdempotencyKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The idempotency keys of calls that start runs. */
public final class RunKeys {

    private RunKeys() {}

    /** Return whether options have a key. */
    public static boolean isIn(OptionValues options) {
        return options.get(Options.IDEMPOTENCY_KEY) != null;
    }

    /**
     * Return the key of a call that starts a run of an agent, or null.
     *
     * @param options as the caller gave them: a thread that is made for the call is not a part of its input
     */
    public static @Nullable IdempotencyKey of(
            String tenantId, RunDefinition definition, List<Message> input, OptionValues options) {
        if (!isIn(options)) {
            return null; // before the messages are written, which most calls need not
        }
        List<@Nullable String> parts = new ArrayList<>();
        parts.add(options.get(Options.THREAD));
        input.forEach(message -> parts.add(textOf(message)));
        EntryStart from = options.get(Options.FROM);
        if (from != null) {
            parts.add(from.text());
        }
        Json state = options.get(Options.INITIAL_STATE);
        if (state != null) {
            parts.add("state " + state.canonical().text());
        }
        return of(tenantId, RunAssembly.of(options).route() + definition.id(), parts, options);
    }

    /**
     * Return the key of a call, or null; it counts for the tenant, the route, the thread's owner and the requester.
     *
     * @param route what is called
     * @param input what must be the same when the call is repeated
     */
    public static @Nullable IdempotencyKey of(
            String tenantId, String route, List<@Nullable String> input, OptionValues options) {
        String key = options.get(Options.IDEMPOTENCY_KEY);
        String more = options.get(Options.IDEMPOTENCY_DIGEST);
        List<@Nullable String> same = new ArrayList<>(input);
        if (more != null) {
            same.add(more);
        }
        return key == null
                ? null
                : new IdempotencyKey(
                        digest(Arrays.asList(
                                tenantId, options.get(Options.RESOURCE), options.get(Options.REQUESTER), route, key)),
                        digest(same));
    }

    /** Return the run that a call with the key of some options has started, with any input; empty if none has. */
    public static Optional<RunId> find(Engine engine, RunDefinition definition, OptionValues options) {
        IdempotencyKey key = of(engine.environment().tenantId(), definition, List.of(), options);
        try {
            return key == null ? Optional.empty() : engine.environment().store().findKeyed(key, engine.now());
        } catch (IdempotencyKeyException e) { // it had another input
            return Optional.of(new RunId(e.runId()));
        }
    }

    /** Return a message as a part of an input; the ids of messages are minted for each call. */
    public static String textOf(Message message) {
        return MessageCodec.write(message.withId("input"));
    }

    private static String digest(List<@Nullable String> parts) {
        return ArgumentDigest.of(Json.of(parts));
    }

    /**
     * Start a run, or find the one that an earlier call with its key has started. The key comes
     * before all that rejects the repeated call because of that run, such as its thread.
     *
     * @param key null for a call without one
     * @throws IdempotencyKeyException if the key has been used with another input
     */
    public static <T> T once(Engine engine, @Nullable IdempotencyKey key, Supplier<T> start, Function<RunId, T> found) {
        try {
            return start.get();
        } catch (IdempotencyKeyException e) {
            if (key == null || !key.digest().equals(e.digest())) {
                throw e;
            }
            return found.apply(new RunId(e.runId()));
        } catch (ThreadBusyException | ConfigurationException e) {
            if (key == null || !engine.isOpen()) {
                throw e;
            }
            return engine.environment()
                    .store()
                    .findKeyed(key, engine.now())
                    .map(found)
                    .orElseThrow(() -> e);
        }
    }
}
