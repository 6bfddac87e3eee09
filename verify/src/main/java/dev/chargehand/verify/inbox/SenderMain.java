package dev.chargehand.verify.inbox;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.json.Json;
import dev.chargehand.verify.stores.StoreAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** A process that delivers what each line of its input lists, all at once, and reports what failed. */
public final class SenderMain {

    private static final Approver ANN = Approver.of("ann");

    private SenderMain() {}

    /** Run in the process; the arguments are the address of the store and the name of the process. */
    public static void main(String[] arguments) throws IOException {
        PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        InboxCrew crew = new InboxCrew(
                slot -> System.err.println("doubled: " + slot + " was carried out by a sender"), () -> {}, said -> {});
        try (AgentRuntime runtime = crew.runtime(new StoreAddress(arguments[0]).open(), Wakeups.off())) {
            Talker talker = new Talker(runtime, arguments[1]);
            output.println("open");
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                output.println(
                        Talk.isIn(line)
                                ? talked(talker, Talk.parse(line))
                                : delivered(runtime, Deliveries.parse(line)));
            }
        }
    }

    private static String talked(Talker talker, Talk talk) {
        return Json.of(talker.talk(talk).stream().map(Talker.Sent::toJson).toList())
                .text();
    }

    private static String delivered(AgentRuntime runtime, Deliveries deliveries) {
        List<CompletableFuture<String>> sent = Stream.concat(
                        deliveries.approvals().stream().map(approval -> sending(runtime, approval)),
                        deliveries.sleeps().stream().map(path -> (Sending) () -> runtime.wake(deliveries.run(), path)))
                .map(sending -> CompletableFuture.supplyAsync(
                        () -> outcome(sending), work -> Thread.ofVirtual().start(work)))
                .toList();
        return Json.of(sent.stream()
                        .map(CompletableFuture::join)
                        .filter(outcome -> !outcome.isEmpty())
                        .toList())
                .text();
    }

    private interface Sending {
        RunHandle send();
    }

    private static Sending sending(AgentRuntime runtime, PendingApproval approval) {
        return approval.kind() == PendingApproval.Kind.DATA
                ? () -> runtime.giveData(approval, approval.payload().orElseThrow()) // the answer is what was asked
                : () -> runtime.approve(approval, ANN);
    }

    private static String outcome(Sending sending) {
        try {
            RunResult ignored = sending.send().result();
            return "";
        } catch (ApprovalException e) {
            // the other process was faster, and the call has been executed, or the sleep is over
            return e.kind() == ApprovalException.Kind.ALREADY_DECIDED ? "" : e.toString();
        } catch (RuntimeException e) {
            return e.toString();
        }
    }
}
