package dev.chargehand.verify.races;

import dev.chargehand.AgentRuntime;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.verify.stores.StoreAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** The other process of a race: executes commands from its input, and reports the outcomes on its output. */
public final class PeerMain {

    private static final String EFFECTS = "effects ";

    private final Effects effects = new Effects();
    private final AgentRuntime runtime;
    private final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private PeerMain(String address) {
        runtime = new RaceCrew(effects)
                .runtime(new StoreAddress(address).open(), (approval, approver) -> "acme".equals(approver.tenant()));
    }

    /** Run in the process; the argument is the address of the store. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        PeerMain peer = new PeerMain(arguments[0]);
        try (AgentRuntime ignored = peer.runtime) {
            peer.say("open");
            for (String line = peer.input.readLine(); line != null; line = peer.input.readLine()) {
                if (line.startsWith(EFFECTS)) {
                    peer.countEffects(RaceCrew.Task.parse(line.substring(EFFECTS.length())));
                } else {
                    peer.contend(Json.parse(line));
                }
            }
        }
    }

    private void contend(Json order) throws IOException, InterruptedException {
        RunId run = new RunId(order.at("/run").flatMap(Json::string).orElseThrow());
        List<PendingApproval> approvals = Stream.of(
                        order.at("/approvals").orElseThrow().as(Json[].class))
                .map(PendingApproval::fromJson)
                .toList();
        List<Contender> contenders =
                List.of(order.at("/contenders").orElseThrow().as(Contender[].class));
        Contest contest = new Contest(place -> runtime, run, approvals, contenders);
        say("ready");
        String go = input.readLine();
        if (go != null) {
            contest.start();
            say(contest.outcomes());
        }
    }

    private void countEffects(RaceCrew.Task task) {
        say(task.slots().stream()
                .mapToInt(slot -> effects.count(task.name(), slot))
                .toArray());
        effects.forget(task.name());
    }

    private void say(Object what) {
        output.println(Json.of(what).text());
    }
}
