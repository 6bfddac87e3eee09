package dev.chargehand.verify.inbox;

import dev.chargehand.AgentRuntime;
import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** Sends the messages of a talk, cancels its run if that is a part of it, and sends all messages again. */
final class Talker {

    static final String FIRST = "first";
    static final String AGAIN = "again";
    static final String CANCEL = "cancel";
    static final String END = "end";

    /** Answers to a message that has no id. */
    static final String NONE = "none";

    static final String DISPUTED = "disputed";

    private static final int MOST_NANOS = 3_000_000;

    private final AgentRuntime runtime;
    private final String name;

    /** Make it for a process of this name. */
    Talker(AgentRuntime runtime, String name) {
        this.runtime = runtime;
        this.name = name;
    }

    /**
     * The answer to something that was sent.
     *
     * @param sender the process
     * @param what {@link #FIRST}, {@link #AGAIN}, {@link #CANCEL} or {@link #END}
     * @param key of the message, or empty
     * @param answer the id, or what it was answered otherwise
     */
    record Sent(String sender, String what, String key, String answer) {

        Json toJson() {
            return Json.of(Map.of("sender", sender, "what", what, "key", key, "answer", answer));
        }

        static Sent fromJson(Json json) {
            return new Sent(text(json, "/sender"), text(json, "/what"), text(json, "/key"), text(json, "/answer"));
        }

        private static String text(Json json, String at) {
            return json.at(at).flatMap(Json::string).orElseThrow();
        }
    }

    /** Do it, and return the answers. */
    List<Sent> talk(Talk talk) {
        SplittableRandom random = talk.random(name);
        int cancelAfter = talk.end().isCancel() ? random.nextInt(Talk.KEYS.size()) : -1;
        List<Sent> sent = new ArrayList<>();
        for (int i = 0; i < Talk.KEYS.size(); i++) {
            LockSupport.parkNanos(random.nextInt(MOST_NANOS));
            sent.add(tell(talk, FIRST, Talk.KEYS.get(i)));
            if (i == cancelAfter) {
                sent.add(cancel(talk));
            }
        }
        sent.add(new Sent(
                name, END, "", runtime.handle(talk.run()).result().stopReason().toString()));
        for (String key : Talk.KEYS) {
            sent.add(tell(talk, AGAIN, key));
        }
        return sent;
    }

    /** Cancel its run. */
    Sent cancel(Talk talk) {
        return new Sent(name, CANCEL, "", String.valueOf(runtime.cancel(talk.run(), name)));
    }

    @SuppressWarnings("CatchingUnchecked") // each failure is an answer that the harness checks
    private Sent tell(Talk talk, String what, String key) {
        String answer;
        try {
            answer = runtime.tell(talk.run(), Talk.text(key, name), key).orElse(NONE);
        } catch (IdempotencyKeyException e) {
            answer = DISPUTED;
        } catch (Exception e) {
            answer = "threw " + e;
        }
        return new Sent(name, what, key, answer);
    }
}
