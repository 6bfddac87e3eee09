package dev.chargehand;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.thread.ThreadChange;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The shape of the values of the public API. {@link ArchitectureTest} includes these rules. */
final class PublicValueRules {

    private static final int MOST_COMPONENTS = 7;

    private PublicValueRules() {}

    /** A record promises its components; a value that may grow is an interface or a final class. */
    @ArchTest
    static final ArchRule noPublicRecordHasMoreThanSevenComponents =
            classes().that(ArchitectureTest.arePublicVocabulary()).should(haveAtMostSevenComponents());

    @ArchTest
    static final ArchRule everyExceptionIsCalledOne =
            classes().that(assignableTo(Throwable.class)).should().haveSimpleNameEndingWith("Exception");

    /** The copy is the only effect of such a method, so a caller that ignores it has made a mistake. */
    @ArchTest
    static final ArchRule theChangedCopyOfAValueMustBeUsed = methods()
            .that(describe("return a changed copy", PublicValueRules::returnsChangedCopy))
            .should(ArchCondition.from(describe(
                    "be annotated with @CheckReturnValue",
                    method -> method.isAnnotatedWith(CheckReturnValue.class)
                            || method.getOwner().isAnnotatedWith(CheckReturnValue.class))));

    /** One way for one thing: what may be missing is nullable or optional, but not both in one type. */
    @ArchTest
    static final ArchRule whatMayBeMissingIsNullableOrOptional =
            classes().that(ArchitectureTest.arePublicVocabulary()).should(notMixNullableAndOptional());

    private static boolean returnsChangedCopy(JavaMethod method) {
        JavaClass owner = method.getOwner();
        return ArchitectureTest.arePublicVocabulary().test(owner)
                && ArchitectureTest.isVisible(owner)
                && ArchitectureTest.isVisible(method)
                && !method.getModifiers().contains(JavaModifier.STATIC)
                && method.getRawReturnType().equals(owner)
                && !owner.getSimpleName().endsWith("Builder")
                && !owner.isAssignableTo(HookOptions.class) // builders too
                && !owner.isAssignableTo(ThreadChange.class);
    }

    private static ArchCondition<JavaClass> haveAtMostSevenComponents() {
        return new ArchCondition<>("have at most seven components if they are records") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                long components = type.getFields().stream()
                        .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                        .count();
                if (type.isRecord() && ArchitectureTest.isVisible(type) && components > MOST_COMPONENTS) {
                    events.add(SimpleConditionEvent.violated(
                            type,
                            type.getName() + " has " + components + " components; let it grow in another shape."));
                }
            }
        };
    }

    private static ArchCondition<JavaClass> notMixNullableAndOptional() {
        return new ArchCondition<>("not have accessors that are nullable and others that are optional") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                if (ArchitectureTest.isVisible(type)
                        && accessors(type).anyMatch(PublicValueRules::isNullable)
                        && accessors(type).anyMatch(each -> each.getReturnType().equals(Optional.class))) {
                    events.add(SimpleConditionEvent.violated(
                            type, type.getName() + " has nullable and optional accessors; choose one."));
                }
            }
        };
    }

    private static Stream<Method> accessors(JavaClass type) {
        return Stream.of(type.reflect().getMethods()).filter(method -> method.getParameterCount() == 0);
    }

    private static boolean isNullable(Method method) {
        return method.getAnnotatedReturnType().isAnnotationPresent(Nullable.class);
    }
}
