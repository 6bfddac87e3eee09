package dev.chargehand;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.option.RunKind;
import dev.chargehand.json.Json;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The plan of the house, held by the build; docs/architecture.md tells the reasons. */
@AnalyzeClasses(packages = "dev.chargehand", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String ROOT = "dev.chargehand";
    private static final String INTERNAL = "dev.chargehand.internal..";

    /** What stands below the public packages, which may use it. */
    private static final String[] BELOW = {"dev.chargehand.internal.text", "dev.chargehand.internal.json"};

    private static final String STORED = "dev.chargehand.internal.journal.stored";
    private static final String UPCAST = "dev.chargehand.internal.journal.upcast";

    /** The public packages, ground floor first. Who adds a package says here on which floor it stands. */
    private static final List<Set<String>> FLOORS = List.of(
            Set.of("annotation"),
            Set.of("error"),
            Set.of("json"),
            Set.of("message"),
            Set.of("run"),
            Set.of("approval", "model", "tool", "version"),
            Set.of("background", "step", "store.version", "thread"),
            Set.of("completion", "hook", "memory", "processor", "store", "store.deletion", "store.memory"),
            Set.of("workflow"),
            Set.of("event", "metric", "spi"),
            Set.of("workflow.view"),
            Set.of(""));

    private static final Set<String> STAGES =
            Set.of("ComposeStage", "AskStage", "RouterStage", "OpenStage", "ActStage", "DecideStage");

    /** The declaration of the kind of a run, its stored form, who sets it, and the two places that choose by it. */
    private static final Set<String> KNOWS_KINDS = Set.of(
            "RunKind",
            "Options",
            "ConstantNames",
            "StoredSettings",
            "Agent",
            "WorkflowDefinition",
            "State",
            "RunAssembly");

    private static final DescribedPredicate<JavaClass> JSON_LIBRARY =
            resideInAnyPackage("tools.jackson..", "com.fasterxml..", "com.networknt..", "com.github.victools..");

    private static final DescribedPredicate<JavaClass> STAGE = describe(
            "are stages of the loop",
            type -> resideInAPackage(INTERNAL).test(type)
                    && STAGES.contains(outermost(type).getSimpleName()));

    private static final DescribedPredicate<JavaClass> JOURNAL = describe(
            "are the journal",
            type -> resideInAPackage(INTERNAL).test(type)
                    && outermost(type).getSimpleName().equals("Journal"));

    private static final DescribedPredicate<JavaCall<?>> WAITS_BY_SLEEPING_OR_SPINNING = describe(
            "sleeps or spins",
            call -> call.getTargetOwner().isAssignableTo(Thread.class)
                    ? Set.of("sleep", "yield", "onSpinWait").contains(call.getName())
                    : call.getTargetOwner().isAssignableTo(TimeUnit.class)
                            && call.getName().equals("sleep"));

    @ArchTest
    static final ArchRule aPublicPackageDependsOnlyOnItsOwnFloorAndLowerOnes =
            classes().that(arePublicVocabulary()).should(dependOnNoHigherFloor());

    @ArchTest
    static final ArchRule publicPackagesHaveNoCycles =
            slices().matching("dev.chargehand.(*)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule internalPackagesHaveNoCycles = slices().matching("dev.chargehand.internal.(**)")
            .should()
            .beFreeOfCycles()
            .allowEmptyShould(true);

    /** So there is no circle through the root package: an agent and its runtime are not known below. */
    @ArchTest
    static final ArchRule internalPackagesUseOfTheRootPackageOnlyWhatKnowsNothingInternal = noClasses()
            .that(resideInAPackage(INTERNAL))
            .should()
            .dependOnClassesThat(describe(
                    "are in the root package and know something internal",
                    type -> type.getPackageName().equals(ROOT) && knowsSomethingInternal(type)));

    @ArchTest
    static final ArchRule onlyTheRootPackageAndInternalOnesUseInternalOnes = noClasses()
            .that(resideInAPackage("dev.chargehand..").and(not(resideInAnyPackage(ROOT, INTERNAL))))
            .should()
            .dependOnClassesThat(resideInAPackage(INTERNAL).and(not(resideInAnyPackage(BELOW))));

    @ArchTest
    static final ArchRule theReadingOfTextsStandsBelowEverything = noClasses()
            .that(resideInAnyPackage(BELOW))
            .should()
            .dependOnClassesThat(resideInAPackage("dev.chargehand..").and(not(resideInAnyPackage(BELOW))));

    @ArchTest
    static final ArchRule publicSignaturesNameNoJsonLibraryAndNothingInternal = classes()
            .that(arePublicVocabulary())
            .should(notShow(
                    JSON_LIBRARY.or(resideInAPackage(INTERNAL)).as("of a JSON library or of an internal package")));

    /** So public types and facts can change, and what is stored stays. */
    @ArchTest
    static final ArchRule storedFormsAreMadeOfStoredForms = fields().that()
            .areDeclaredInClassesThat(resideInAPackage(STORED).and(not(assignableTo(Enum.class))))
            .should(holdOnly(resideInAnyPackage("java..", STORED)
                    .or(assignableTo(Json.class))
                    .or(assignableTo(Enum.class))
                    .or(describe("are primitive", JavaClass::isPrimitive))));

    @ArchTest
    static final ArchRule onlyTheJournalAndJsonItselfUseTheJsonLibrary = noClasses()
            .that(resideInAPackage("dev.chargehand..")
                    .and(not(resideInAnyPackage("dev.chargehand..json..", "dev.chargehand.internal.journal.."))))
            .should()
            .dependOnClassesThat(JSON_LIBRARY);

    @ArchTest
    static final ArchRule onlyTheJournalKnowsStoredForms = noClasses()
            .that(not(resideInAPackage("dev.chargehand.internal.journal..")))
            .should()
            .dependOnClassesThat(resideInAnyPackage(STORED, UPCAST));

    @ArchTest
    static final ArchRule upcastersUseNoTypeOfTheDomain = noClasses()
            .that(resideInAPackage(UPCAST))
            .should()
            .dependOnClassesThat(resideInAPackage("dev.chargehand..").and(not(resideInAPackage(UPCAST))));

    @ArchTest
    static final ArchRule stagesKnowNeitherJournalNorStore = noClasses()
            .that(STAGE)
            .should()
            .dependOnClassesThat(JOURNAL.or(resideInAPackage("dev.chargehand.store..")))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule stagesDoNotKnowEachOther =
            classes().that(STAGE).should(dependOnNoOtherStage()).allowEmptyShould(true);

    /** What differs between kinds of run is in the types that these places choose. */
    @ArchTest
    static final ArchRule nothingElseAsksForTheKindOfARun = noClasses()
            .that(describe(
                    "do not choose by the kind of a run",
                    type -> !KNOWS_KINDS.contains(outermost(type).getSimpleName())))
            .should()
            .dependOnClassesThat(assignableTo(RunKind.class))
            .orShould()
            .accessField(Options.class, "KIND");

    @ArchTest
    static final ArchRule nothingIsKeptPerThread =
            noClasses().should().dependOnClassesThat(assignableTo(ThreadLocal.class));

    @ArchTest
    static final ArchRule nothingWaitsBySleepingOrSpinning =
            noClasses().should().callMethodWhere(WAITS_BY_SLEEPING_OR_SPINNING);

    @ArchTest
    static final ArchRule nothingIsDeserialisedByJavaItself =
            noClasses().should().dependOnClassesThat(assignableTo(ObjectInputStream.class));

    /** Randomness is passed in; a default for it may be a SecureRandom. */
    @ArchTest
    static final ArchRule nothingRollsItsOwnDice = noClasses()
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.Random")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.concurrent.ThreadLocalRandom")
            .orShould()
            .callMethod(Math.class, "random");

    @ArchTest
    static final ArchRule nothingStaticIsReassigned =
            fields().that().areStatic().should().beFinal();

    @ArchTest
    static final ArchTests foreignCode = ArchTests.in(ForeignCodeRules.class);

    @ArchTest
    static final ArchTests publicValues = ArchTests.in(PublicValueRules.class);

    /** Who adds a public package exports it; in tests nobody would notice, since they run on the class path. */
    @ArchTest
    static void theModuleExportsThePublicPackagesAndNoOther(JavaClasses core) throws Exception {
        Path classes = Path.of(ChargehandException.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (InputStream descriptor = Files.newInputStream(classes.resolve("module-info.class"))) {
            assertThat(ModuleDescriptor.read(descriptor).exports())
                    .filteredOn(exported -> !exported.isQualified()) // the facts are for the test kit only
                    .extracting(ModuleDescriptor.Exports::source)
                    .containsExactlyInAnyOrderElementsOf(core.stream()
                            .filter(arePublicVocabulary())
                            .map(JavaClass::getPackageName)
                            .collect(Collectors.toSet()));
        }
    }

    static DescribedPredicate<JavaClass> arePublicVocabulary() {
        return describe("are in a public package", type -> publicPackage(type).isPresent());
    }

    /** The package below the root: empty for the root itself, absent for internal packages and foreign ones. */
    private static Optional<String> publicPackage(JavaClass type) {
        String name = type.getPackageName();
        if (name.equals(ROOT)) {
            return Optional.of("");
        }
        if (!name.startsWith(ROOT + ".") || resideInAPackage(INTERNAL).test(type)) {
            return Optional.empty();
        }
        return Optional.of(name.substring(ROOT.length() + 1));
    }

    private static int floor(String name) {
        for (int i = 0; i < FLOORS.size(); i++) {
            if (FLOORS.get(i).contains(name)) {
                return i;
            }
        }
        return -1;
    }

    private static ArchCondition<JavaClass> dependOnNoHigherFloor() {
        return new ArchCondition<>("depend on no higher floor") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                String own = publicPackage(type).orElseThrow();
                if (floor(own) < 0) {
                    events.add(SimpleConditionEvent.violated(
                            type, type.getName() + " is in a package without a floor; give it one in this test."));
                    return;
                }
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                    publicPackage(dependency.getTargetClass().getBaseComponentType())
                            .filter(other -> floor(other) > floor(own))
                            .ifPresent(other ->
                                    events.add(SimpleConditionEvent.violated(type, dependency.getDescription())));
                }
            }
        };
    }

    private static ArchCondition<JavaClass> dependOnNoOtherStage() {
        return new ArchCondition<>("depend on no other stage") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getDirectDependenciesFromSelf().stream()
                        .filter(dependency -> STAGE.test(dependency.getTargetClass()))
                        .filter(dependency ->
                                !outermost(dependency.getTargetClass()).equals(outermost(type)))
                        .forEach(dependency ->
                                events.add(SimpleConditionEvent.violated(type, dependency.getDescription())));
            }
        };
    }

    /**
     * Looks at all a user can see of a type: supertypes, bounds, and the types of what is public or protected in it.
     */
    private static ArchCondition<JavaClass> notShow(DescribedPredicate<JavaClass> hidden) {
        return new ArchCondition<>("not show a type " + hidden.getDescription()) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                if (!isVisible(type)) {
                    return;
                }
                List<JavaType> supertypes = new ArrayList<>(type.getInterfaces());
                type.getSuperclass().ifPresent(supertypes::add);
                supertypes.addAll(type.getTypeParameters());
                report(type, type.getDescription(), supertypes, events);
                for (JavaMember member : type.getMembers()) {
                    if (isVisible(member)) {
                        report(type, member.getDescription(), typesOf(member), events);
                    }
                }
            }

            private void report(JavaClass type, String where, List<JavaType> shown, ConditionEvents events) {
                shown.stream()
                        .flatMap(each -> each.getAllInvolvedRawTypes().stream())
                        .map(JavaClass::getBaseComponentType)
                        .filter(hidden)
                        .distinct()
                        .forEach(each ->
                                events.add(SimpleConditionEvent.violated(type, where + " shows " + each.getName())));
            }
        };
    }

    private static ArchCondition<JavaField> holdOnly(DescribedPredicate<JavaClass> allowed) {
        return new ArchCondition<>("hold only types that " + allowed.getDescription()) {
            @Override
            public void check(JavaField field, ConditionEvents events) {
                field.getType().getAllInvolvedRawTypes().stream()
                        .map(JavaClass::getBaseComponentType)
                        .filter(not(allowed))
                        .forEach(type -> events.add(SimpleConditionEvent.violated(
                                field, field.getFullName() + " holds " + type.getName())));
            }
        };
    }

    static boolean isVisible(JavaClass type) {
        return (type.getModifiers().contains(JavaModifier.PUBLIC)
                        || type.getModifiers().contains(JavaModifier.PROTECTED))
                && type.getEnclosingClass().map(ArchitectureTest::isVisible).orElse(true);
    }

    static boolean isVisible(JavaMember member) {
        Set<JavaModifier> modifiers = member.getModifiers();
        return !modifiers.contains(JavaModifier.SYNTHETIC)
                && (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED));
    }

    private static List<JavaType> typesOf(JavaMember member) {
        return switch (member) {
            case JavaField field -> List.of(field.getType());
            case JavaCodeUnit unit ->
                Stream.of(
                                Stream.of(unit.getReturnType()),
                                unit.getParameterTypes().stream(),
                                unit.getTypeParameters().stream(),
                                unit.getExceptionTypes().stream())
                        .flatMap(types -> types)
                        .map(JavaType.class::cast)
                        .toList();
            default -> throw new IllegalStateException("neither field nor code: " + member);
        };
    }

    /** By itself, or through what it uses. */
    private static boolean knowsSomethingInternal(JavaClass type) {
        return type.getTransitiveDependenciesFromSelf().stream()
                .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                .anyMatch(resideInAPackage(INTERNAL).and(not(resideInAnyPackage(BELOW))));
    }

    private static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(ArchitectureTest::outermost).orElse(type);
    }
}
