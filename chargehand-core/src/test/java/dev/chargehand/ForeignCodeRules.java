package dev.chargehand;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaCodeUnitReference;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.chargehand.approval.ApproverCheck;
import dev.chargehand.completion.Scorer;
import dev.chargehand.event.RunListener;
import dev.chargehand.internal.option.Options;
import dev.chargehand.model.EmbeddingModel;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.InputStepProcessor;
import dev.chargehand.processor.OutputResultProcessor;
import dev.chargehand.processor.OutputStepProcessor;
import dev.chargehand.processor.OutputStreamProcessor;
import dev.chargehand.processor.TextProcessor;
import dev.chargehand.spi.AccessCheck;
import dev.chargehand.spi.ContextPropagator;
import dev.chargehand.spi.Instrumentation;
import dev.chargehand.store.Store;
import dev.chargehand.tool.ToolHandler;
import dev.chargehand.workflow.Entry;
import dev.chargehand.workflow.Step;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Code of users is called through one door, {@code BoundedCalls}: there it has a time limit, the caller's context and
 * the instrumentation. {@link ArchitectureTest} includes these rules.
 */
final class ForeignCodeRules {

    private ForeignCodeRules() {}

    /**
     * A method that users implement.
     *
     * @param callers the classes that call it, each in a lambda that it gives to the door
     */
    private record Foreign(Class<?> type, String method, Set<String> callers) {

        static Foreign of(Class<?> type, String method, String... callers) {
            return new Foreign(type, method, Set.of(callers));
        }

        boolean isCalledBy(JavaCodeUnitAccess<?> access) {
            return access.getName().equals(method)
                    && access.getTargetOwner().isAssignableTo(type)
                    && !callers.contains(outermost(access.getOriginOwner()).getSimpleName());
        }

        boolean isCalledOutsideALambda(JavaCodeUnitAccess<?> access) {
            return access.getName().equals(method)
                    && access.getTargetOwner().isAssignableTo(type)
                    && !access.isDeclaredInLambda()
                    && !(access instanceof JavaCodeUnitReference);
        }
    }

    private static final List<Foreign> CALLED_IN_THE_DOOR = List.of(
            Foreign.of(Model.class, "ask", "ModelAttempt", "SideCalls"),
            Foreign.of(EmbeddingModel.class, "embed", "Embedder"),
            Foreign.of(ToolHandler.class, "handle", "ToolExecution", "StepExecution"),
            Foreign.of(Step.class, "call", "StepExecution", "ChildOpener"),
            Foreign.of(Step.class, "recover", "StepExecution"),
            Foreign.of(Entry.Mapping.class, "apply", "Planner"),
            Foreign.of(Entry.Loop.class, "again", "Planner"),
            Foreign.of(Entry.Case.class, "test", "RoundPlans"),
            Foreign.of(Entry.Foreach.class, "items", "RoundPlans"),
            Foreign.of(Scorer.class, "score", "CompletionEvaluator", "StepExecution"),
            Foreign.of(InputProcessor.class, "processInput", "InputScreening"),
            Foreign.of(InputStepProcessor.class, "processInputStep", "ComposeStage"),
            Foreign.of(OutputStreamProcessor.class, "processOutputStream", "StreamProcessors"),
            Foreign.of(TextProcessor.class, "next", "StreamProcessors"),
            Foreign.of(TextProcessor.class, "end", "StreamProcessors"),
            Foreign.of(OutputStepProcessor.class, "processOutputStep", "AskStage"),
            Foreign.of(OutputResultProcessor.class, "processOutputResult", "DecideStage"),
            Foreign.of(ApproverCheck.class, "mayAnswer", "ApprovalValidator"),
            Foreign.of(AccessCheck.class, "mayAccess", "AccessGate"),
            Foreign.of(ModelProvider.class, "close", "NamedModels"));

    /** These have threads of their own, or are the door itself. */
    private static final List<Foreign> PART_OF_THE_DOOR = List.of(
            Foreign.of(RunListener.class, "onEvent", "ListenerPump"),
            Foreign.of(ContextPropagator.class, "capture", "CallerContext"),
            Foreign.of(ContextPropagator.Captured.class, "open", "CallerContext"),
            Foreign.of(Instrumentation.class, "begin", "Instruments"),
            Foreign.of(Instrumentation.Work.class, "open", "InstrumentedCall"),
            Foreign.of(Instrumentation.Work.class, "end", "InstrumentedCall"));

    /** The options that hold functions of the JDK. */
    private static final Set<String> HOOKS = Arrays.stream(Options.class.getFields())
            .filter(field -> field.getGenericType().getTypeName().contains("java.util.function."))
            .map(Field::getName)
            .collect(Collectors.toSet());

    @ArchTest
    static final ArchRule codeOfUsersIsCalledThroughTheDoor = classes()
            .that(resideInAnyPackage("dev.chargehand", "dev.chargehand.internal.."))
            .should(useTheDoor());

    @ArchTest
    static final ArchRule hooksAreCalledInALambdaThatIsGivenToTheDoor =
            classes().that(resideInAnyPackage("dev.chargehand.internal..")).should(callHooksInLambdas());

    @ArchTest
    static final ArchRule theStoreOfTheUserIsReadWhereItIsBounded = classes()
            .that()
            .haveFullyQualifiedName(AgentRuntime.class.getName() + "$Parts")
            .should(readTheStoreOnce());

    private static ArchCondition<JavaClass> useTheDoor() {
        return new ArchCondition<>("call code of users through BoundedCalls") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (JavaCodeUnitAccess<?> access : type.getCodeUnitAccessesFromSelf()) {
                    boolean elsewhere = CALLED_IN_THE_DOOR.stream().anyMatch(each -> each.isCalledBy(access))
                            || PART_OF_THE_DOOR.stream().anyMatch(each -> each.isCalledBy(access));
                    boolean direct = CALLED_IN_THE_DOOR.stream().anyMatch(each -> each.isCalledOutsideALambda(access));
                    if (elsewhere || direct) {
                        events.add(SimpleConditionEvent.violated(type, access.getDescription()));
                    }
                }
            }
        };
    }

    /** A method that reads hooks from the options calls functions of the JDK in lambdas only. */
    private static ArchCondition<JavaClass> callHooksInLambdas() {
        return new ArchCondition<>("call hooks in lambdas") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getCodeUnits().stream()
                        .filter(ForeignCodeRules::readsAHook)
                        .flatMap(unit -> unit.getMethodCallsFromSelf().stream())
                        .filter(call -> call.getTargetOwner().getPackageName().equals("java.util.function"))
                        .filter(call -> !call.isDeclaredInLambda())
                        .forEach(call -> events.add(SimpleConditionEvent.violated(type, call.getDescription())));
            }
        };
    }

    private static boolean readsAHook(JavaCodeUnit unit) {
        return unit.getFieldAccesses().stream()
                .anyMatch(access ->
                        access.getTargetOwner().isEquivalentTo(Options.class) && HOOKS.contains(access.getName()));
    }

    private static ArchCondition<JavaClass> readTheStoreOnce() {
        return new ArchCondition<>("read the store of the builder once, to bound it") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                List<JavaFieldAccess> reads = type.getFieldAccessesFromSelf().stream()
                        .filter(access -> access.getTargetOwner().isEquivalentTo(AgentRuntimeBuilder.class))
                        .filter(access -> access.getTarget().getRawType().isEquivalentTo(Store.class))
                        .toList();
                if (reads.size() != 1) {
                    events.add(SimpleConditionEvent.violated(type, type.getName() + " reads it at " + reads));
                }
            }
        };
    }

    private static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(ForeignCodeRules::outermost).orElse(type);
    }
}
