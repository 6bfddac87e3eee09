package dev.chargehand.internal.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.chargehand.RunOptions;
import dev.chargehand.ValuesOf;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.option.Option;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.json.Json;
import dev.chargehand.store.FactEntry;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The settings of a run are stored whole, and nothing else of its options is. */
class StoredSettingsTest {

    private static final Set<String> MAY_LACK = Set.of(
            "maxSteps",
            "activeTools",
            "structuredOutput",
            "kind",
            "maxProcessorRetries",
            "hookTimeLimits",
            "memory",
            "versions",
            "defaultVersion",
            "pauseAfterEach");

    private static OptionValues readBack(OptionValues settings) {
        return read(FactCodec.write(FactSamples.started(settings))).settings();
    }

    private static Fact.Started read(FactEntry entry) {
        return (Fact.Started) FactCodec.read(entry);
    }

    private static Map<String, Json> keys(FactEntry entry) {
        return Json.parse(entry.text()).fields().get("settings").fields();
    }

    private static FactEntry without(FactEntry entry, String key) {
        Map<String, Json> settings = new LinkedHashMap<>(keys(entry));
        settings.remove(key);
        Map<String, Json> fields = new LinkedHashMap<>(Json.parse(entry.text()).fields());
        fields.put("settings", Json.of(settings));
        return FactEntry.of(entry.type(), entry.version(), Json.of(fields).text());
    }

    @Test
    void everySettingIsReadBack() {
        OptionValues settings = FactSamples.settings();
        for (Option<?> option : Options.settings()) {
            assertThat(settings.get(option)).as("the sample changes %s", option).isNotEqualTo(option.byDefault());
            assertThat(readBack(settings).get(option)).as(option.name()).isEqualTo(settings.get(option));
        }
        assertThat(readBack(OptionValues.DEFAULT)).isEqualTo(OptionValues.DEFAULT);
    }

    @Test
    void codeAndTheRequestAreNotStoredWithTheSettings() {
        OptionValues all = ValuesOf.options(RunOptions.defaults()
                .with(o -> o.thread("thread").resource("resource").retries(7).onFinish(result -> {})));
        assertThat(readBack(all.settings())).isEqualTo(OptionValues.DEFAULT.with(Options.RETRIES, 7));
        assertThat(all.settings()).isEqualTo(OptionValues.DEFAULT.with(Options.RETRIES, 7));
    }

    @Test
    void aKeyIsOnlyMissingWhereItMayBe() {
        FactEntry whole = FactCodec.write(FactSamples.started(FactSamples.settings()));
        Set<String> needed = new TreeSet<>(keys(whole).keySet());
        assertThat(needed).containsAll(MAY_LACK);
        needed.removeAll(MAY_LACK);
        for (String key : needed) {
            assertThatExceptionOfType(StoreException.class)
                    .as(key)
                    .isThrownBy(() -> read(without(whole, key)))
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNREADABLE));
        }
        for (String key : MAY_LACK) {
            assertThat(read(without(whole, key)).settings()).as(key).isNotEqualTo(FactSamples.settings());
        }
    }

    @Test
    void anOlderVersionReadsRunsThatSetNoNewerOption() {
        assertThat(keys(FactCodec.write(FactSamples.started(OptionValues.DEFAULT))))
                .doesNotContainKeys(
                        "hookTimeLimits",
                        "maxProcessorRetries",
                        "memory",
                        "versions",
                        "defaultVersion",
                        "pauseAfterEach");
    }
}
