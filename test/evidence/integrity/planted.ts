/** Test files of each language, with a different kind of check in each test. */
export const SAMPLES = {
  "test/cart.test.ts": `import { describe, expect, it, test } from "vitest";
import { cart } from "../src/cart.ts";

// it("is commented out", () => { expect(1).toBe(2); });
describe("a cart", () => {
  it("adds up", () => {
    expect(cart([1, 2]).total).toBe(3);
    expect(cart([]).total).toBe(0);
  });

  it("refuses what is negative", () => {
    expect(() => cart([-1])).toThrow(/negative \\(it\\("x", \\)/);
  });

  test.each([
    [1, "one"],
    [2, "two"],
  ])("writes %i as %s", (number, word) => {
    expect(cart([number]).text).toEqual(word);
  });
});

test("its name has 'quotes', (brackets) and a // mark", async () => {
  const text = \`a \${"}" + \`nested \${1}\`} it("no test")\`;
  expect(text.split("/")[0]).toStrictEqual(\`a }nested 1 it("no test")\`);
});
`,
  "tests/test_cart.py": `import pytest
from cart import cart

# def test_commented(): assert cart([])


class TestCart:
    @pytest.mark.parametrize(
        "numbers,total",
        [([], 0), ([1], 1)],
    )
    def test_total(self, numbers, total):
        assert cart(numbers).total == total

    def test_negative(self):
        with pytest.raises(ValueError):
            cart([-1])


def test_text():
    """def test_inside(): no test"""
    assert cart([1]).text == "one # no comment"
    assert cart([2]).text == "two"
`,
  "cart_test.go": `package cart

import "testing"

// func TestCommented(t *testing.T) { t.Fatal("no") }
func TestTotal(t *testing.T) {
	if got := Total([]int{1, 2}); got != 3 {
		t.Errorf("Total() = %d, want 3 { func TestInside(", got)
	}
}

func TestEmpty(t *testing.T) {
	require.Equal(t, 0, Total(nil))
}
`,
  "src/cart.rs": `pub fn total(numbers: &[i32]) -> i32 { numbers.iter().sum() }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_up<'a>() {
        assert_eq!(total(&[1, 2]), 3, "it's {} fn x", '{');
        assert_eq!(total(&[]), 0);
    }

    #[test]
    #[should_panic(expected = "negative")]
    fn refuses_negative() {
        total(&[-1]);
    }
}
`,
  "spec/cart_spec.rb": `require "cart"

RSpec.describe Cart do
  # it "is commented" do
  it "adds up" do
    expect(Cart.new([1, 2]).total).to eq(3)
    expect(Cart.new([]).total).to eq(0)
  end

  it "refuses what is negative" do
    expect { Cart.new([-1]) }.to raise_error(ArgumentError)
  end
end
`,
} as const;

export type Sample = keyof typeof SAMPLES;

/** Number of tests in each. */
export const COUNTS: ReadonlyMap<string, number> = new Map<Sample, number>([
  ["test/cart.test.ts", 4],
  ["tests/test_cart.py", 3],
  ["cart_test.go", 2],
  ["src/cart.rs", 2],
  ["spec/cart_spec.rb", 2],
]);
