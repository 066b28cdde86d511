"""Neighbours and distances on every shape of map."""

import pytest

from endturn.games.empires.rules.geometry import Geometry


def flat(**shape):
    shape = {"wraps_x": False, "wraps_y": False, "is_iso": False, "is_hex": False, **shape}
    return Geometry(8, 8, **shape)


def at(x, y):
    return y * 8 + x


@pytest.mark.parametrize("iso, hexagonal, neighbours", [(0, 0, 8), (1, 0, 8), (0, 1, 6), (1, 1, 6)])
def test_tiles_have_eight_neighbours_or_six(iso, hexagonal, neighbours):
    geometry = flat(is_iso=bool(iso), is_hex=bool(hexagonal), wraps_x=True, wraps_y=True)
    assert all(len(geometry.adjacent(tile)) == neighbours for tile in range(64))
    assert len(geometry.directions) == neighbours


@pytest.mark.parametrize("iso", [False, True])
@pytest.mark.parametrize("hexagonal", [False, True])
def test_neighbours_are_one_step_away_and_mutual(iso, hexagonal):
    geometry = flat(is_iso=iso, is_hex=hexagonal, wraps_x=True)
    for tile in range(64):
        for near in geometry.adjacent(tile):
            assert geometry.distance(tile, near) == 1
            assert tile in geometry.adjacent(near)


def test_map_has_edges_unless_it_wraps():
    assert flat().distance(at(0, 3), at(7, 3)) == 7
    assert flat(wraps_x=True).distance(at(0, 3), at(7, 3)) == 1
    assert flat(wraps_y=True).distance(at(3, 0), at(3, 7)) == 1


@pytest.mark.parametrize("iso, hexagonal", [(True, False), (False, True), (True, True)])
def test_native_and_map_coordinates_convert_both_ways(iso, hexagonal):
    geometry = flat(is_iso=iso, is_hex=hexagonal)
    for y in range(8):
        for x in range(8):
            assert geometry.to_native(*geometry.to_map(x, y)) == (x, y)


def test_circle_of_radius_sq_5_has_21_tiles():
    tiles = flat().circle(at(4, 4), 5)
    assert len(tiles) == 21
    assert tiles[0] == (at(4, 4), 0)
    assert [sq for _, sq in tiles] == sorted(sq for _, sq in tiles)


def test_diagonal_step_counts_once_if_it_exists():
    assert flat().distance(at(2, 2), at(4, 4)) == 2
    assert flat(is_hex=True).steps(2, 2) == 4
    assert flat(is_hex=True).steps(2, -2) == 2


def test_every_other_row_of_hexagons_is_shifted():
    near = flat(is_hex=True).adjacent(at(4, 4))
    assert sorted((tile % 8, tile // 8) for tile in near) == [(3, 3), (3, 4), (3, 5), (4, 3), (4, 5), (5, 4)]


def test_straight_neighbours_share_an_edge():
    assert set(flat().straight(at(4, 4))) == {at(4, 3), at(3, 4), at(5, 4), at(4, 5)}
    assert len(flat(is_hex=True).straight(at(4, 4))) == 6
