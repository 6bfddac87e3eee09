package dev.chargehand.verify.inbox;

import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * What a process is to send to a run that works, that may end meanwhile, and that is to be cancelled by some talks.
 *
 * @param run the root run
 * @param seed of the pauses between what is sent
 * @param end how the run ends
 */
record Talk(RunId run, long seed, End end) {

    /** The messages, each the same from both processes but those that {@link #isDisputed}. */
    static final List<String> KEYS =
            IntStream.rangeClosed(1, 10).mapToObj(i -> "m" + i).toList();

    private static final String FIELD = "talk";

    /** How the run ends that they are sent to. */
    enum End {
        /** Its model says that it is done. */
        DONE,
        /** It has made as many steps as it may. */
        STEPS,
        /** Both processes, and the one that executes it, cancel it, each for a reason of its own. */
        CANCEL,
        /** It waits, below a sub-agent, when both processes cancel it. */
        CANCEL_WAITING;

        /** Return whether it is cancelled. */
        boolean isCancel() {
            return this == CANCEL || this == CANCEL_WAITING;
        }
    }

    /** Return whether each process has a text of its own for the key, so that one of them is rejected. */
    static boolean isDisputed(String key) {
        return key.equals("m4") || key.equals("m7");
    }

    /** Return what a process says under a key. */
    static String text(String key, String sender) {
        return isDisputed(key) ? key + " by " + sender : key;
    }

    /** Return the random numbers of a process. */
    SplittableRandom random(String sender) {
        return new SplittableRandom(seed * 31 + sender.hashCode());
    }

    /** Write it as a line. */
    String line() {
        return Json.of(Map.of(FIELD, run.value(), "seed", seed, "end", end.name()))
                .text();
    }

    /** Return whether a line is one. */
    static boolean isIn(String line) {
        return Json.parse(line).at("/" + FIELD).isPresent();
    }

    /** Read what {@link #line} wrote. */
    static Talk parse(String line) {
        Json json = Json.parse(line);
        return new Talk(
                new RunId(json.at("/" + FIELD).flatMap(Json::string).orElseThrow()),
                json.at("/seed").orElseThrow().as(Long.class),
                End.valueOf(json.at("/end").flatMap(Json::string).orElseThrow()));
    }
}
