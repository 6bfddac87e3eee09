package dev.chargehand.cli.output;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.cli.live.BrokenLines;
import dev.chargehand.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Shows a waiting call to its approver: everything that will be executed, and nothing that could hide or imitate
 * something else. Foreign text is {@link Revealed} and framed.
 *
 * @param lines to be printed as they are
 * @param whole whether nothing was left out; ask for all of it then, before it is approved
 */
public record ApprovalSheet(List<String> lines, boolean whole) {

    /** How much of an id is shown in the line behind the arguments; the start of an id names a call too. */
    private static final int SHOWN_OF_ID = 12;

    public ApprovalSheet {
        lines = List.copyOf(lines);
    }

    /**
     * Make the sheet of a call: first the tool with its arguments, then whose call it is and until when it waits.
     *
     * @param now for how long it has waited and still may
     * @param whole whether to show all of it, however long it is, with ids and times in full
     * @param columns how many columns a line may have
     */
    public static ApprovalSheet of(PendingApproval approval, Instant now, boolean whole, int columns) {
        Sheet sheet = new Sheet(whole, columns);
        sheet.line(heading(approval), 0);
        sheet.field(
                approval.stepPath().isPresent() ? "step" : "tool",
                Revealed.text(approval.stepPath().orElse(approval.toolName())));
        sheet.json("arguments", approval.arguments());
        approval.payload().ifPresent(payload -> sheet.json("it says", payload));
        approval.dataSchema().ifPresent(schema -> sheet.json("schema", schema));
        if (whole) {
            details(sheet, approval, now);
        } else {
            sheet.line("  " + inOneLine(approval, now), Sheet.INSIDE);
        }
        return new ApprovalSheet(sheet.lines, sheet.complete);
    }

    /** The rest in one line, with the starts of ids; {@link #details} has all of it. */
    private static String inOneLine(PendingApproval approval, Instant now) {
        boolean late = !approval.expiresAt().isAfter(now);
        return "by " + Revealed.text(approval.path().toString())
                + approval.requester()
                        .map(user -> " for \"" + Revealed.text(user) + "\"")
                        .orElse("")
                + ", " + span(approval.askedAt(), now) + " ago, "
                + (late ? "expired" : "expires in " + span(now, approval.expiresAt()))
                + "; " + start(approval.callId()) + " of "
                + start(approval.rootRunId().value())
                + ", SHA-256 " + start(approval.digest());
    }

    private static String start(String id) {
        return Revealed.text(id.substring(0, Math.min(SHOWN_OF_ID, id.length())));
    }

    private static void details(Sheet sheet, PendingApproval approval, Instant now) {
        sheet.field(
                approval.stepPath().isPresent() ? "workflow" : "agent",
                Revealed.text(approval.path().toString()));
        sheet.field(
                "call",
                Revealed.text(approval.callId())
                        + (approval.waitNumber() > 1 ? ", asked for the " + approval.waitNumber() + ". time" : ""));
        sheet.field("run", Revealed.text(approval.rootRunId().value()));
        sheet.field(
                "asked",
                approval.requester()
                                .map(user -> "for \"" + Revealed.text(user) + "\", ")
                                .orElse("") + time(approval.askedAt()) + ", " + span(approval.askedAt(), now) + " ago");
        sheet.field(
                "expires",
                time(approval.expiresAt())
                        + (approval.expiresAt().isAfter(now)
                                ? ", in " + span(now, approval.expiresAt()) + "; counts as declined then"
                                : "; counts as declined"));
        sheet.field("digest", "SHA-256 " + Revealed.text(approval.digest()));
    }

    /** Describe in a few words why a call waits. */
    public static String brief(PendingApproval approval) {
        String what = Revealed.text(approval.toolName());
        String by = " by " + Revealed.text(approval.path().toString());
        return switch (approval.kind()) {
            case APPROVAL -> "approval of " + what + by;
            case DATA -> "data for " + Revealed.text(approval.stepPath().orElse(approval.toolName())) + by;
            case INTERRUPTED -> "a decision about " + what + by + ", which a crash interrupted";
        };
    }

    private static String heading(PendingApproval approval) {
        return switch (approval.kind()) {
            case APPROVAL -> "This call waits for approval. It is executed exactly as shown, or not at all.";
            case DATA -> "This call waits for data. With the data it is executed again exactly as shown.";
            case INTERRUPTED ->
                "This call was being executed when its process died, and what it did is not known. Yes executes it"
                        + " again as it stands here; data is taken as its result.";
        };
    }

    private static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String span(Instant from, Instant to) {
        Duration span = Duration.between(from, to);
        if (span.isNegative() || span.toSeconds() < 60) {
            return Math.max(0, span.toSeconds()) + " s";
        }
        return span.toHours() == 0 ? span.toMinutes() + " min" : span.toHours() + " h " + span.toMinutesPart() + " min";
    }

    /** The lines as they come together. */
    private static final class Sheet {

        /** Deeper than where frames and fields start, so that no text can look like one. */
        private static final int INSIDE = 4;

        private static final int VALUES = 13;

        private final boolean whole;
        private final int columns;
        private final List<String> lines = new ArrayList<>();
        private boolean complete = true;

        Sheet(boolean whole, int columns) {
            this.whole = whole;
            this.columns = columns;
        }

        /** Add a line, which is broken before the terminal would break it. */
        void line(String line, int hanging) {
            lines.addAll(BrokenLines.of(line, columns, hanging));
        }

        void field(String name, String value) {
            line(String.format(Locale.ROOT, "  %-9s  %s", name, value), VALUES);
        }

        void json(String name, Json json) {
            String text = json.text();
            List<String> pretty = PrettyJson.lines(json);
            long escapes = pretty.stream().mapToLong(Revealed::escapes).sum();
            field(
                    name,
                    String.format(
                            Locale.ROOT,
                            "%,d characters, %,d bytes%s",
                            text.codePointCount(0, text.length()),
                            text.getBytes(StandardCharsets.UTF_8).length,
                            escapes == 0 ? "" : String.format(Locale.ROOT, "; %,d written as escapes", escapes)));
            Framed.Frame frame = Framed.of(pretty, whole, columns);
            lines.addAll(frame.lines());
            Notes.of(String.join("\n", pretty)).forEach(note -> line("  ! " + note, INSIDE));
            complete &= frame.whole();
        }
    }
}
