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
        assertThat(Passages.of(Message.user("asked"))).containsExactly("asked");
        assertThat(Passages.of(Message.assistant("answered"))).containsExactly("answered");
        assertThat(Passages.of(Message.system("instructions"))).isEmpty();
        assertThat(Passages.of(Message.of(Role.ASSISTANT, new Part.Text("I search"), call)))
                .isEmpty();
        assertThat(Passages.of(Message.of(Role.TOOL, new Part.ToolResult("call", "search", "found", false))))
                .isEmpty();
        assertThat(Passages.of(new Message("id", Role.USER, List.of(new Part.Text("data")), true)))
                .isEmpty();
    }

    private static String numbers(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append("number ").append(i).append(", ");
        }
        return text.toString().strip();
    }
}
