package dev.chargehand.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.tool.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What reaches a server of parameters in every style, the examples of the OpenAPI specification among them. */
class ParameterStylesTest extends WithApi {

    private static final String ANY = "schema: {}";

    private static String value(String value) {
        return switch (value) {
            case "list" -> "[\"blue\",\"black\",\"brown\"]";
            case "object" -> "{\"R\":100,\"G\":200,\"B\":150}";
            default -> value;
        };
    }

    private String target(String value) {
        return api.sent(api.tool(), "{\"color\":" + value(value) + "}").target();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            simple | false | "blue"  | blue
            simple | true  | "blue"  | blue
            simple | false | list    | blue,black,brown
            simple | true  | list    | blue,black,brown
            simple | false | object  | R,100,G,200,B,150
            simple | true  | object  | R=100,G=200,B=150
            label  | false | "blue"  | .blue
            label  | false | list    | .blue,black,brown
            label  | true  | list    | .blue.black.brown
            label  | false | object  | .R,100,G,200,B,150
            label  | true  | object  | .R=100.G=200.B=150
            matrix | false | "blue"  | ;color=blue
            matrix | false | list    | ;color=blue,black,brown
            matrix | true  | list    | ;color=blue;color=black;color=brown
            matrix | false | object  | ;color=R,100,G,200,B,150
            matrix | true  | object  | ;R=100;G=200;B=150
            simple | false | "a/b?c#d%2F;e,f" | a%2Fb%3Fc%23d%252F%3Be%2Cf
            simple | false | "é\\r\\n\\u0000" | %C3%A9%0D%0A%00
            simple | false | true    | true
            simple | false | 1.25    | 1.25
            """)
    void inAPath(String style, boolean explode, String value, String expected) {
        api.it(
                "get",
                "/c/{color}/x",
                "{ name: color, in: path, required: true, style: " + style + ", explode: " + explode + ", " + ANY
                        + " }");

        assertThat(target(value)).isEqualTo("/v2/c/" + expected + "/x");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            form           | true  | "blue"  | ?color=blue
            form           | false | "blue"  | ?color=blue
            form           | true  | ""      | ?color=
            form           | true  | list    | ?color=blue&color=black&color=brown
            form           | false | list    | ?color=blue,black,brown
            form           | true  | object  | ?R=100&G=200&B=150
            form           | false | object  | ?color=R,100,G,200,B,150
            form           | true  | []      | ''
            form           | false | {}      | ''
            form           | true  | null    | ''
            spaceDelimited | false | list    | ?color=blue%20black%20brown
            spaceDelimited | false | object  | ?color=R%20100%20G%20200%20B%20150
            spaceDelimited | true  | list    | ?color=blue&color=black&color=brown
            pipeDelimited  | false | list    | ?color=blue%7Cblack%7Cbrown
            pipeDelimited  | false | object  | ?color=R%7C100%7CG%7C200%7CB%7C150
            deepObject     | true  | object  | ?color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150
            form           | true  | "a&b=c#d+e f/g?h%20" | ?color=a%26b%3Dc%23d%2Be%20f%2Fg%3Fh%2520
            form           | false | ["a,b"] | ?color=a%2Cb
            deepObject     | true  | {"a]&x=1":"&y"} | ?color%5Ba%5D%26x%3D1%5D=%26y
            """)
    void inAQuery(String style, boolean explode, String value, String expected) {
        api.it("get", "/c", "{ name: color, in: query, style: " + style + ", explode: " + explode + ", " + ANY + " }");

        assertThat(target(value)).isEqualTo("/v2/c" + expected);
    }

    @Test
    void withoutAWordOfTheDocumentOnlyFormIsExploded() {
        api.it("get", "/c", "{ name: color, in: query, " + ANY + " }");
        assertThat(target("list")).isEqualTo("/v2/c?color=blue&color=black&color=brown");

        api.it("get", "/c", "{ name: color, in: query, style: pipeDelimited, " + ANY + " }");
        assertThat(target("list")).isEqualTo("/v2/c?color=blue%7Cblack%7Cbrown");

        api.it("get", "/c/{color}", "{ name: color, in: path, required: true, " + ANY + " }");
        assertThat(target("object")).isEqualTo("/v2/c/R,100,G,200,B,150");
    }

    @Test
    void reservedCharactersMayStayUnlessTheyWouldEndTheValue() {
        api.it("get", "/c", "{ name: color, in: query, allowReserved: true, " + ANY + " }");

        assertThat(target("\"http://a.example/b?c=d&e=f#g+h;i,[j]%41\""))
                .isEqualTo("/v2/c?color=http://a.example/b?c=d%26e=f%23g%2Bh%3Bi%2C%5Bj%5D%2541");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            false | "blue"  | blue
            false | list    | blue,black,brown
            false | object  | R,100,G,200,B,150
            true  | object  | R=100,G=200,B=150
            """)
    void inAHeader(boolean explode, String value, String expected) {
        api.it("get", "/c", "{ name: X-Color, in: header, explode: " + explode + ", " + ANY + " }");

        assertThat(api.sent(api.tool(), "{\"X-Color\":" + value(value) + "}").header("X-Color"))
                .containsExactly(expected);
    }

    @Test
    void aParameterWithJsonContentIsJson() {
        api.it("get", "/c", "{ name: color, in: query, content: { application/json: { schema: { type: object } } } }");

        assertThat(target("object")).isEqualTo("/v2/c?color=%7B%22R%22%3A100%2C%22G%22%3A200%2C%22B%22%3A150%7D");
    }

    @Test
    void aNameIsEncodedAndItsArgumentHasANameThatProvidersTake() {
        api.it("get", "/c", "{ name: 'filter[a&b]', in: query, schema: { type: string } }");
        Tool tool = api.tool();

        assertThat(tool.input().json().at("/properties/filter_a_b_")).isPresent();
        assertThat(api.sent(tool, "{\"filter_a_b_\":\"x\"}").target()).isEqualTo("/v2/c?filter%5Ba%26b%5D=x");
    }

    @Test
    void parametersOfOneNameInTwoPlacesAreTwoArguments() {
        api.it(
                "get",
                "/c/{id}",
                "{ name: id, in: path, required: true, schema: { type: string } },"
                        + " { name: id, in: query, schema: { type: string } }");

        assertThat(api.sent(api.tool(), "{\"id\":\"1\",\"query_id\":\"2\"}").target())
                .isEqualTo("/v2/c/1?id=2");
    }

    @Test
    void whatHasMoreLevelsThanAStyleIsRefused() {
        api.it("get", "/c", "{ name: color, in: query, style: deepObject, " + ANY + " }");

        assertThat(Api.error(api.tool(), "{\"color\":{\"a\":{\"b\":1}}}"))
                .isEqualTo("'color' must not hold lists or objects in lists or objects.");
        assertThat(Api.error(api.tool(), "{\"color\":[null]}")).isEqualTo("'color' must not hold null. Leave it out.");
        assertThat(Api.error(api.tool(), "{\"color\":\"blue\"}")).isEqualTo("'color' must be an object.");
        assertThat(api.server.log()).isEmpty();
    }
}
