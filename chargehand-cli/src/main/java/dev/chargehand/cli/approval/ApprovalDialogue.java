package dev.chargehand.cli.approval;

import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.cli.live.BrokenLines;
import dev.chargehand.cli.output.ApprovalSheet;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.shell.Questioner;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Asks the user at a terminal about a waiting call, and shows everything that will be executed.
 *
 * <p>Nothing is approved by accident: an empty line is no answer, what was typed before the question is thrown away,
 * and of what is too long to be shown at once everything must have been shown.
 */
public final class ApprovalDialogue {

    private final Questioner asked;
    private final Approver approver;
    private final InstantSource clock;
    private final StandingApprovals standing = new StandingApprovals();

    public ApprovalDialogue(Questioner asked, Approver approver, InstantSource clock) {
        this.asked = asked;
        this.approver = approver;
        this.clock = clock;
    }

    /**
     * Ask until there is an answer; empty if the call stays waiting, or the input has ended. A call of a tool that the
     * user has approved for the rest of the run is approved without a question, and shown.
     *
     * @param over whether the call does not wait any more, so that the question is of no use
     */
    public Optional<ApprovalAnswer> ask(PendingApproval approval, BooleanSupplier over) {
        Optional<ApprovalAnswer> given = standing.answer(approval, approver);
        if (given.isPresent()) {
            asked.print(standing.line(approval));
            return given;
        }
        boolean whole = show(approval, false);
        while (true) {
            Optional<String> typed = question(question(approval, whole), over);
            if (typed.isEmpty()) {
                return Optional.empty();
            }
            switch (typed.get().strip().toLowerCase(Locale.ROOT)) {
                case "y", "yes" -> {
                    if (approval.kind() == PendingApproval.Kind.DATA) {
                        asked.print("It asks for data: d gives them.");
                    } else if (whole) {
                        return Optional.of(ApprovalAnswer.approve(approver));
                    } else {
                        asked.print("Not all of it was shown: v shows all.");
                    }
                }
                case "a", "all" -> {
                    if (approval.kind() != PendingApproval.Kind.APPROVAL) {
                        asked.print("Only approvals can be given for all calls.");
                    } else if (whole) {
                        return Optional.of(standing.approve(approval, approver));
                    } else {
                        asked.print("Not all of it was shown: v shows all.");
                    }
                }
                case "n", "no" -> {
                    return asked.ask("Reason, which the model sees: ", over)
                            .map(reason -> ApprovalAnswer.decline(
                                    approver, reason.isBlank() ? "No reason was given." : reason.strip()));
                }
                case "d", "data" -> {
                    Optional<ApprovalAnswer> data = data(approval, over);
                    if (data.isPresent()) {
                        return data;
                    }
                }
                case "v", "view" -> whole = show(approval, true);
                case "l", "later" -> {
                    return Optional.empty();
                }
                default -> asked.print("Type one of the letters, and Enter.");
            }
        }
    }

    private boolean show(PendingApproval approval, boolean whole) {
        ApprovalSheet sheet = ApprovalSheet.of(approval, clock.instant(), whole, asked.columns());
        asked.print("");
        sheet.lines().forEach(asked::print);
        return sheet.whole();
    }

    /** Only the last line of a question that is wider than the terminal is edited. */
    private Optional<String> question(String text, BooleanSupplier over) {
        List<String> lines = BrokenLines.of(text, asked.columns() - 2);
        lines.subList(0, lines.size() - 1).forEach(asked::print);
        return asked.ask(lines.getLast() + " ", over);
    }

    private static String question(PendingApproval approval, boolean whole) {
        String execute =
                switch (approval.kind()) {
                    case APPROVAL -> "Execute it? y: yes, a: yes to all of this tool in this run, ";
                    case DATA -> "What now? d: give data, ";
                    case INTERRUPTED -> "Execute it again? y: yes, d: no, but here is its result, ";
                };
        return execute + "n: no, l: leave it waiting, v: view " + (whole ? "details" : "all of it") + " > ";
    }

    private Optional<ApprovalAnswer> data(PendingApproval approval, BooleanSupplier over) {
        if (approval.kind() == PendingApproval.Kind.APPROVAL) {
            asked.print("It asks for approval, not for data.");
            return Optional.empty();
        }
        Optional<String> typed = asked.ask("Data, as JSON in one line: ", over);
        try {
            return typed.map(json -> ApprovalAnswer.data(approver, Json.parse(json)));
        } catch (InvalidJsonException e) {
            asked.print(Visible.line(e.getMessage(), 500));
            return Optional.empty();
        }
    }
}
