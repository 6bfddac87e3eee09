package dev.chargehand.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.RunOptions;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Scorer;
import dev.chargehand.hook.Hook;
import dev.chargehand.hook.HookPolicy;
import dev.chargehand.models.OpenAiEmbeddings;
import dev.chargehand.run.Limit;
import dev.chargehand.run.TimeLimit;
import java.io.IOException;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The page of all options has every option there is, and no other, with the defaults that the code has. */
class OptionsPageTest {

    static List<Arguments> builders() {
        return List.of(
                Arguments.of("Options of a run", RunOptions.Builder.class),
                Arguments.of("Settings of an agent", AgentBuilder.class),
                Arguments.of("Settings of a completion", Completion.class),
                Arguments.of("Settings of a runtime", AgentRuntimeBuilder.class),
                Arguments.of("Settings of an embedding model", OpenAiEmbeddings.Builder.class));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("builders")
    void aSectionHasARowForEveryMethodOfItsBuilder(String section, Class<?> builder) throws IOException {
        List<String> methods = Arrays.stream(builder.getMethods())
                .filter(method -> isSetting(method, builder))
                .map(OptionsPageTest::signature)
                .toList();
        assertThat(Page.of("options.md").rows(section))
                .extracting(row -> row.getFirst())
                .containsExactlyInAnyOrderElementsOf(methods);
    }

    /** Tells whether a method returns its builder, which a part that the builder extends declares in general terms. */
    private static boolean isSetting(Method method, Class<?> builder) {
        return method.getReturnType() != Object.class
                && method.getReturnType().isAssignableFrom(builder)
                && !Modifier.isStatic(method.getModifiers());
    }

    @Test
    void aLimitStandsWithItsDefault() throws IOException {
        assertThat(Page.of("options.md").rows("Limits"))
                .extracting(row -> row.getFirst(), row -> row.get(1), row -> row.get(2))
                .containsExactlyElementsOf(Arrays.stream(Limit.values())
                        .map(limit -> Tuple.tuple(
                                limit.name(), limit.key(), String.format(Locale.ROOT, "%,d", limit.byDefault())))
                        .toList());
    }

    @Test
    void aTimeLimitStandsWithItsDefault() throws IOException {
        assertThat(Page.of("options.md").rows("Time limits"))
                .extracting(row -> row.getFirst(), row -> row.get(1), row -> row.get(2))
                .containsExactlyElementsOf(Arrays.stream(TimeLimit.values())
                        .map(limit -> Tuple.tuple(limit.name(), limit.key(), plain(limit.byDefault())))
                        .toList());
    }

    @Test
    void aHookStandsWithWhatItsFailureMeansAndMayMean() throws IOException {
        assertThat(Page.of("options.md").rows("Hooks that fail"))
                .extracting(row -> row.getFirst(), row -> row.get(1), row -> row.get(2))
                .containsExactlyElementsOf(Arrays.stream(Hook.values())
                        .map(hook -> Tuple.tuple(hook.key(), hook.byDefault().name(), others(hook)))
                        .toList());
    }

    @Test
    void aSettingOfACompletionStandsWithItsDefault() throws IOException {
        Page page = Page.of("options.md");
        Completion completion = Completion.all(Scorer.of("any", run -> null));
        assertThat(page.cell("Settings of a completion", "continueOnFail(boolean)", 1))
                .isEqualTo(String.valueOf(completion.continueOnFail()));
        assertThat(page.cell("Settings of a completion", "feedbackToLLM(boolean)", 1))
                .isEqualTo(String.valueOf(completion.feedbackToLLM()));
        assertThat(page.cell("Settings of a completion", "scorerTimeout(Duration)", 1))
                .isEqualTo(plain(completion.scorerTimeout()));
        assertThat(page.cell("Settings of a completion", "timeout(Duration)", 1))
                .isEqualTo(plain(completion.timeout()));
    }

    @Test
    void theOptionsThatACallWouldHaveCanBeSeen() {
        Agent supervisor = PremiumAgent.supervisor("openai/gpt-5-mini");
        RunOptions effective = supervisor.effectiveOptions(o -> o.maxSteps(20).metadata("ticket", "T-42"));
        assertThat(effective.changed())
                .containsEntry("maxSteps", 20)
                .containsEntry("metadata", Map.of("ticket", "T-42"))
                .containsKey("onDelegationStart");
    }

    private static String others(Hook hook) {
        return Arrays.stream(HookPolicy.values())
                .filter(hook::allows)
                .filter(policy -> policy != hook.byDefault())
                .map(HookPolicy::name)
                .collect(Collectors.joining(", "));
    }

    private static String plain(Duration duration) {
        return duration.compareTo(Duration.ofMinutes(2)) > 0
                ? duration.toMinutes() + " min"
                : duration.toSeconds() + " s";
    }

    /** Writes a method as the page does: {@code stopWhen(StepContext -> boolean)}. */
    private static String signature(Method method) {
        Type[] parameters = method.getGenericParameterTypes();
        return method.getName()
                + Arrays.stream(parameters)
                        .map(OptionsPageTest::written)
                        .collect(Collectors.joining(", ", "(", method.isVarArgs() ? "...)" : ")"));
    }

    private static String written(Type type) {
        if (type instanceof ParameterizedType generic) {
            List<String> of = Arrays.stream(generic.getActualTypeArguments())
                    .map(OptionsPageTest::written)
                    .toList();
            Type raw = generic.getRawType();
            if (raw == Function.class) {
                return of.get(0) + " -> " + of.get(1);
            }
            if (raw == UnaryOperator.class) {
                return of.get(0) + " -> " + of.get(0);
            }
            if (raw == Predicate.class) {
                return of.get(0) + " -> boolean";
            }
            if (raw == Consumer.class) {
                return of.get(0) + " -> void";
            }
            return ((Class<?>) raw).getSimpleName() + "<" + String.join(", ", of) + ">";
        }
        if (type instanceof WildcardType) {
            return "?";
        }
        if (type instanceof GenericArrayType array) {
            return written(array.getGenericComponentType());
        }
        Class<?> plain = (Class<?>) type;
        return plain.isArray() ? plain.componentType().getSimpleName() : simple(plain);
    }

    /** A nested class stands with its outer one unless that is obvious. */
    private static String simple(Class<?> type) {
        return type.isMemberClass()
                        && Modifier.isStatic(type.getModifiers())
                        && type.getSimpleName().equals("Builder")
                ? type.getEnclosingClass().getSimpleName() + ".Builder"
                : type.getSimpleName();
    }
}
