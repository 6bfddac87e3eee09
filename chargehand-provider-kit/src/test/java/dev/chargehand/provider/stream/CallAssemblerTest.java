package dev.chargehand.provider.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ModelException;
import dev.chargehand.model.ModelDelta.ToolCallArguments;
import dev.chargehand.model.ModelDelta.ToolCallEnd;
import dev.chargehand.model.ModelDelta.ToolCallStart;
import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.fault.WireLimits;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallAssemblerTest {

    private static final ProviderFaults FAULTS = new ProviderFaults("test/model", "TEST_API_KEY");

    private final Deltas call = new Deltas();
    private final CallAssembler assembler = new CallAssembler(WireLimits.DEFAULT, FAULTS);

    @Test
    void interleavedFragmentsAreSortedByIndex() {
        add(0, "a", "f", "");
        add(1, "b", "g", "{");
        add(0, "", "", "{\"x\":");
        add(1, "", "", "}");
        add(0, "", "", "1}");
        assertThat(calls())
                .containsExactly(new RequestedCall("a", "f", "{\"x\":1}"), new RequestedCall("b", "g", "{}"));
        assertThat(call.deltas())
                .containsExactly(
                        new ToolCallStart(0, "f"),
                        new ToolCallStart(1, "g"),
                        new ToolCallArguments(1, "{"),
                        new ToolCallArguments(0, "{\"x\":"),
                        new ToolCallArguments(1, "}"),
                        new ToolCallArguments(0, "1}"),
                        new ToolCallEnd(0),
                        new ToolCallEnd(1));
    }

    @Test
    void aCallWithoutArgumentsHasAnEmptyObjectOfThemAlsoInItsDeltas() {
        add(0, "a", "f", "");
        add(1, "b", "g", " ");
        add(2, "c", "h", "nu");
        add(2, "", "", "ll");
        add(3, "d", "i", "n");
        add(3, "", "", "o");
        assertThat(calls())
                .containsExactly(
                        new RequestedCall("a", "f", "{}"),
                        new RequestedCall("b", "g", "{}"),
                        new RequestedCall("c", "h", "{}"),
                        new RequestedCall("d", "i", "no"));
        assertThat(call.deltas())
                .containsSubsequence(
                        new ToolCallStart(0, "f"),
                        new ToolCallStart(1, "g"),
                        new ToolCallStart(2, "h"),
                        new ToolCallStart(3, "i"),
                        new ToolCallArguments(3, "no"),
                        new ToolCallArguments(0, "{}"),
                        new ToolCallEnd(0),
                        new ToolCallArguments(1, "{}"),
                        new ToolCallEnd(1),
                        new ToolCallArguments(2, "{}"),
                        new ToolCallEnd(2),
                        new ToolCallEnd(3))
                .hasSize(12);
    }

    @Test
    void anIndexThatStartsAtThreeIsPlaceZero() {
        add(3, "c", "f", "{}");
        assertThat(calls()).containsExactly(new RequestedCall("c", "f", "{}"));
        assertThat(call.deltas()).startsWith(new ToolCallStart(0, "f"));
    }

    @Test
    void aNameInEveryFragmentIsTakenOnce() {
        add(0, "c", "f", "{\"a\"");
        add(0, "c", "f", ":1}");
        assertThat(calls()).containsExactly(new RequestedCall("c", "f", "{\"a\":1}"));
    }

    @Test
    void aNameInEveryFragmentIsTakenOnceAlsoWithoutIndexAndId() {
        add(-1, "", "f", "{\"a\"");
        add(-1, "", "f", ":1}");
        assertThat(calls()).containsExactly(new RequestedCall("", "f", "{\"a\":1}"));
    }

    @Test
    void withoutAnIndexTheIdTellsCallsApart() {
        add(-1, "a", "f", "{\"x\":");
        add(-1, "b", "f", "{");
        add(-1, "a", "", "1}");
        add(-1, "b", "", "}");
        assertThat(calls())
                .containsExactly(new RequestedCall("a", "f", "{\"x\":1}"), new RequestedCall("b", "f", "{}"));
    }

    @Test
    void withoutIndexAndIdAWholeCallIsFollowedByAnother() {
        add(-1, "", "f", "{}");
        add(-1, "", "f", "{\"a\":1}");
        add(-1, "", "g", "");
        assertThat(calls())
                .containsExactly(
                        new RequestedCall("", "f", "{}"),
                        new RequestedCall("", "f", "{\"a\":1}"),
                        new RequestedCall("", "g", ""));
    }

    @Test
    void theSameIndexForEveryCallIsToldApartByIdAndName() {
        add(0, "a", "f", "{\"x\":1}");
        add(0, "b", "f", "{\"x\":2}");
        add(0, "c", "g", "{}");
        assertThat(calls()).extracting(RequestedCall::providerId).containsExactly("a", "b", "c");
    }

    @Test
    void anIdThatChangesWithinACallMakesNoSecondCall() {
        add(0, "a", "f", "{\"x\":");
        add(0, "b", "f", "1}");
        assertThat(calls()).containsExactly(new RequestedCall("a", "f", "{\"x\":1}"));
    }

    @Test
    void aNameMayComeAfterItsArguments() {
        add(0, "", "", "{");
        add(0, "a", "f", "}");
        assertThat(calls()).containsExactly(new RequestedCall("a", "f", "{}"));
        assertThat(call.deltas())
                .containsExactly(new ToolCallStart(0, "f"), new ToolCallArguments(0, "{}"), new ToolCallEnd(0));
    }

    @Test
    void aCallWithoutANameIsKeptAndTold() {
        add(0, "a", "", "{}");
        assertThat(calls()).containsExactly(new RequestedCall("a", "", "{}"));
        assertThat(call.deltas())
                .containsExactly(new ToolCallStart(0, ""), new ToolCallArguments(0, "{}"), new ToolCallEnd(0));
    }

    @Test
    void thereIsALimitOfCalls() {
        for (int i = 0; i < 1_000; i++) {
            add(i, "id" + i, "f", "{}");
        }
        assertThatThrownBy(() -> add(1_000, "more", "f", "{}")).isInstanceOf(ModelException.class);
    }

    private void add(int index, String id, String name, String arguments) {
        assembler.accept(new CallFragment(index, id, name, arguments), call);
    }

    private List<RequestedCall> calls() {
        assembler.finish(call);
        return assembler.calls();
    }
}
