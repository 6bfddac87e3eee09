package dev.chargehand.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import java.util.List;
import org.junit.jupiter.api.Test;

class PassagesTest {

    @Test
    void aShortTextIsOnePassage() {
        assertThat(Passages.of("  Where is Oslo?\n")).containsExactly("Where is Oslo?");
        assertThat(Passages.of(" \n ")).isEmpty();
    }

    @Test
    void neighbouringPassagesShareSomeText() {
        String text = numbers(1_000);
        List<String> passages = Passages.of(text);
        StringBuilder joined = new StringBuilder(passages.getFirst());
        passages.stream().skip(1).forEach(passage -> joined.append(passage.substring(Passages.OVERLAP)));

        assertThat(passages).hasSizeGreaterThan(2).allMatch(passage -> passage.length() <= Passages.LONGEST);
        assertThat(joined.toString()).isEqualTo(text);
    }

    @Test
    void noCharacterIsSplitInTwo() {
        for (int before = 0; before < 3; before++) {
            String text = "x".repeat(before) + "\ud83d\ude00".repeat(3_000);
            assertThat(Passages.of(text)).hasSizeGreaterThan(2).allSatisfy(passage -> {
                assertThat(Character.isLowSurrogate(passage.charAt(0))).isFalse();
                assertThat(Character.isHighSurrogate(passage.charAt(passage.length() - 1)))
                        .isFalse();
            });
        }
    }

    @Test
    void aLongTextHasAtMostSoManyPassages() {
        assertThat(Passages.of(numbers(100_000))).hasSize(Passages.MOST);
    }

    @Test
    void onlyWhatUsersAndAgentsSaidIsEmbedded() {
        Part.ToolCall call = new Part.ToolCall("call", null, "search", "{}");
        assertThat(Passages.of(Message.user("asked"), false)).containsExactly("asked");
        assertThat(Passages.of(Message.assistant("answered"), false)).containsExactly("answered");
        assertThat(Passages.of(Message.system("instructions"), false)).isEmpty();
        assertThat(Passages.of(Message.of(Role.ASSISTANT, new Part.Text("I search"), call), false))
                .isEmpty();
        assertThat(Passages.of(Message.of(Role.TOOL, new Part.ToolResult("call", "search", "found", false)), false))
                .isEmpty();
        assertThat(Passages.of(new Message("id", Role.USER, List.of(new Part.Text("data")), true), false))
                .isEmpty();
    }

    @Test
    void resultsOfToolsAreEmbeddedOnRequest() {
        Part.ToolResult found = new Part.ToolResult("a", "search", "found", false);
        Part.ToolResult more = new Part.ToolResult("b", "look", "seen", false);
        assertThat(Passages.of(Message.of(Role.TOOL, found, more), true)).containsExactly("found", "seen");
        assertThat(Passages.of(Message.of(Role.TOOL, new Part.ToolResult("a", "search", "failed", true)), true))
                .isEmpty();
        assertThat(Passages.of(Message.of(Role.TOOL, new Part.ToolResult("a", "recall", "old", false)), true))
                .isEmpty();
        assertThat(Passages.of(
                        Message.of(Role.TOOL, new Part.ToolResult("a", "updateWorkingMemory", "Stored.", false)), true))
                .isEmpty();
        assertThat(Passages.of(new Message("id", Role.TOOL, List.of(found), true), true))
                .isEmpty();
        assertThat(Passages.of(Message.user("asked"), true)).containsExactly("asked");
    }

    @Test
    void theResultsOfOneStepHaveTogetherAtMostSoManyPassages() {
        Part.ToolResult large = new Part.ToolResult("a", "search", numbers(100_000), false);
        assertThat(Passages.of(Message.of(Role.TOOL, large, large), true)).hasSize(Passages.MOST);
    }

    @Test
    void howManyPassagesAreLeftOutIsKnown() {
        int all = 40;
        String text = numbers(100_000).substring(0, all * (Passages.LONGEST - Passages.OVERLAP));
        assertThat(Passages.leftOut(Message.user(text), false)).isEqualTo(all - Passages.MOST);
        assertThat(Passages.leftOut(Message.user(text.substring(0, 50_000)), false))
                .isZero();
        Part.ToolResult large = new Part.ToolResult("a", "search", text, false);
        assertThat(Passages.leftOut(Message.of(Role.TOOL, large), false)).isZero();
        assertThat(Passages.leftOut(Message.of(Role.TOOL, large, large), true)).isEqualTo(2 * all - Passages.MOST);
    }

    @Test
    void vectorsOfTheTwoRulesAreNotCompared() {
        assertThat(Passages.rule(true)).isNotEqualTo(Passages.rule(false));
    }

    private static String numbers(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append("number ").append(i).append(", ");
        }
        return text.toString().strip();
    }
}
