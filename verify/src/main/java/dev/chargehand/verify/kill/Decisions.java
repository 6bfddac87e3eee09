package dev.chargehand.verify.kill;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Decides about what a run waits for: in any order, but about each call always the same, so that a run that is killed in
 * between ends as one that is not.
 */
final class Decisions {

    private final SplittableRandom random;
    private final long seed;
    private final Predicate<String> hadEffect;

    /**
     * Make decisions.
     *
     * @param hadEffect maps the id of a call to whether it had its effect
     */
    Decisions(SplittableRandom random, long seed, Predicate<String> hadEffect) {
        this.random = random;
        this.seed = seed;
        this.hadEffect = hadEffect;
    }

    /**
     * Choose what is answered, and how.
     *
     * @param waiting what the run waits for, as JSON
     * @return the place of a call and {@code approve}, {@code decline} or {@code data}
     */
    String reply(String waiting) {
        List<PendingApproval> approvals = Stream.of(Json.parse(waiting).as(Json[].class))
                .map(PendingApproval::fromJson)
                .toList();
        int place = random.nextInt(approvals.size());
        return place + " " + decision(approvals.get(place));
    }

    String decision(PendingApproval approval) {
        return switch (approval.kind()) {
            case DATA -> "data";
            case INTERRUPTED -> hadEffect.test(approval.callId()) ? "data" : "approve";
            case APPROVAL -> isApproved(slot(approval)) ? "approve" : "decline";
        };
    }

    private boolean isApproved(String slot) {
        return new SplittableRandom(seed ^ slot.hashCode()).nextInt(3) > 0;
    }

    private static String slot(PendingApproval approval) {
        return approval.arguments().at("/slot").flatMap(Json::string).orElse("");
    }
}
