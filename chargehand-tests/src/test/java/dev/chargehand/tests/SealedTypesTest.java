package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import dev.chargehand.run.StructuredOutput;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sealed types whose subtypes no annotation lists, since the language does; and open ones, of which nothing lists them. */
class SealedTypesTest {

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    sealed interface Shape {}

    @JsonTypeName("circle")
    record Circle(double radius) implements Shape {}

    sealed interface Angular extends Shape {}

    @JsonTypeName("box")
    record Box(double width, double height) implements Angular {}

    record Drawing(Shape frame, List<Shape> shapes) {}

    sealed interface Plain {}

    @JsonTypeName("only")
    record Only(int n) implements Plain {}

    record Annotated(
            @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
            Plain plain) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
    sealed interface Guessed {}

    record First(int a) implements Guessed {}

    record Second(int b) implements Guessed {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    interface Open {}

    record Opened(List<Open> all) {}

    record Marked(@JsonTypeInfo(use = JsonTypeInfo.Id.NAME) Runnable action) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, defaultImpl = Usual.class)
    interface WithDefault {}

    record Usual(int n) implements WithDefault {}

    @Test
    void theSchemaAcceptsTheSubtypesAtEveryLevel() {
        Drawing drawing = new Drawing(new Box(1, 2), List.of(new Circle(1), new Box(2, 3)));
        assertThat(JsonSchema.of(Drawing.class).violations(Json.of(drawing))).isEmpty();
        assertThat(Json.of(drawing).as(Drawing.class)).isEqualTo(drawing);
        assertThat(JsonSchema.of(Shape.class).violations(Json.of(new Circle(1))))
                .isEmpty();
        assertThat(JsonSchema.of(Shape.class).violations(Json.parse("{\"kind\":\"line\",\"radius\":1}")))
                .isNotEmpty();
        assertThat(JsonSchema.of(Shape.class).violations(Json.parse("{\"kind\":\"circle\"}")))
                .isNotEmpty();
    }

    @Test
    void anAnnotatedComponentIsOneOfTheSubtypes() {
        Annotated annotated = new Annotated(new Only(1));
        assertThat(JsonSchema.of(Annotated.class).violations(Json.of(annotated)))
                .isEmpty();
        assertThat(Json.of(annotated).as(Annotated.class)).isEqualTo(annotated);
    }

    @Test
    void deducedTypesHaveTheirProperties() {
        assertThat(JsonSchema.of(Guessed.class).violations(Json.of(new Second(1))))
                .isEmpty();
        assertThat(JsonSchema.of(Guessed.class).violations(Json.parse("{\"c\":1}")))
                .isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(classes = {Open.class, Opened.class, Marked.class})
    void anOpenTypeNeedsAListOfItsSubtypes(Class<?> type) {
        assertThatThrownBy(() -> StructuredOutput.of(type))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("no subtypes are named", "@JsonSubTypes", "sealed");
    }

    @Test
    void anOpenTypeWithADefaultCanBeRead() {
        assertThat(JsonType.of(WithDefault.class).obstacle()).isEmpty();
    }
}
