package dev.chargehand.verify.inbox;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a process is to deliver to a run.
 *
 * @param run the root run
 * @param approvals what it is to approve, or to answer with the data that is asked for
 * @param sleeps the paths of the sleeps that it is to end
 */
record Deliveries(RunId run, List<PendingApproval> approvals, List<String> sleeps) {

    Deliveries {
        approvals = List.copyOf(approvals);
        sleeps = List.copyOf(sleeps);
    }

    /** Write them as a line. */
    String line() {
        return Json.of(Map.of(
                        "run",
                        run.value(),
                        "approvals",
                        approvals.stream().map(PendingApproval::toJson).toList(),
                        "sleeps",
                        sleeps))
                .text();
    }

    /** Read what {@link #line} wrote. */
    static Deliveries parse(String line) {
        Json json = Json.parse(line);
        return new Deliveries(
                new RunId(json.at("/run").flatMap(Json::string).orElseThrow()),
                Stream.of(json.at("/approvals").orElseThrow().as(Json[].class))
                        .map(PendingApproval::fromJson)
                        .toList(),
                List.of(json.at("/sleeps").orElseThrow().as(String[].class)));
    }
}
