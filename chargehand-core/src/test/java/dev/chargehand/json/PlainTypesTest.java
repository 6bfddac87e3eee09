package dev.chargehand.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The schema library and the short way around it must write the same. */
class PlainTypesTest {

    record Query(String query) {}

    record Everything(
            String zebra,
            int count,
            Integer boxedCount,
            long length,
            Long boxedLength,
            double ratio,
            Double boxedRatio,
            boolean exact,
            Boolean boxedExact) {}

    record Described(
            @Description("What to look for.") String query,
            @Nullable @Description("How many.") Integer most,
            @Nullable String after) {}

    record AllNullable(@Nullable String one, @Nullable Integer two) {}

    record WithMembers(String id, int isOpen) {
        static final String KIND = "kind";

        WithMembers(String id) {
            this(id, 1);
        }

        String getName() {
            return id;
        }

        boolean isLong() {
            return id.length() > 1;
        }

        static String other() {
            return KIND;
        }
    }

    @Description("Describes itself.")
    record DescribedType(String query) {}

    record Renamed(@JsonProperty("q") String query) {}

    record RenamedByMethod(String query) {
        @JsonProperty("other")
        String more() {
            return query;
        }
    }

    interface Named {
        @JsonProperty("label")
        String name();
    }

    record Implementing(String name) implements Named {}

    record Listed(List<String> names) {}

    record Maybe(Optional<String> name) {}

    record Generic<T>(String name, T value) {}

    record Nested(Query query) {}

    record Empty() {}

    enum Color {
        RED
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                String.class,
                int.class,
                Long.class,
                double.class,
                Boolean.class,
                Query.class,
                Everything.class,
                Described.class,
                AllNullable.class,
                WithMembers.class
            })
    void plainTypesHaveTheSchemaThatTheLibraryWrites(Class<?> type) {
        assertThat(PlainTypes.schemaOf(type).map(Object::toString))
                .contains(SchemaWriter.schemaOf((Type) type).toString());
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                DescribedType.class,
                Renamed.class,
                RenamedByMethod.class,
                Implementing.class,
                Listed.class,
                Maybe.class,
                Generic.class,
                Nested.class,
                Empty.class,
                Color.class,
                Object.class,
                Integer[].class
            })
    void otherTypesAreLeftToTheLibrary(Class<?> type) {
        assertThat(PlainTypes.schemaOf(type)).isEmpty();
    }
}
